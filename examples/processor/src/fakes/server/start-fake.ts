import { type Context, Hono } from 'hono'
import type { Fake } from '../create-fake.ts'
import { createFakeOf } from '../create-fake-of.ts'
import type { DisputeStep, FakeOptions, ProcessorName } from '../fake.ts'
import { createCheckouts } from './checkouts.ts'
import { checkoutPage, closedPage, controlPage } from './pages.ts'
import { createSender, type Sender } from './sender.ts'

type Options = FakeOptions & {
  processor: ProcessorName
  /** 0, the default, picks a free port. */
  port?: number
  hostname?: string
  retryDelaysMs?: number[]
}

/**
 * A fake processor with a hosted checkout and a page for everything after it. Its webhooks are the processor's; opening a
 * checkout is not: every processor has its own API for that, and this is one for all.
 */
export const startFake = ({ processor, port = 0, hostname = '127.0.0.1', retryDelaysMs, ...options }: Options) => {
  const fake = createFakeOf(processor, options)
  const checkouts = createCheckouts()
  const sender = createSender({ fake, retryDelaysMs: retryDelaysMs ?? [1_000, 5_000, 15_000, 60_000] })
  const app = new Hono()
  const server = Bun.serve({ port, hostname, fetch: (request) => app.fetch(request) })
  const url = `http://localhost:${server.port ?? 0}`

  app.use(async (c, next) => {
    await next()
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'")
  })

  app.post('/checkouts', async (c) => {
    const checkout = checkouts.open(await c.req.json())
    if (!checkout) return c.json({ error: 'A field is missing.' }, 400)
    return c.json({ id: checkout.id, url: `${url}/pay/${checkout.id}` }, 201)
  })

  app.get('/checkouts/:id', (c) => {
    const checkout = checkouts.find(c.req.param('id'))
    if (!checkout) return c.json({ error: 'No such checkout.' }, 404)
    const { id, status, reference, purchase } = checkout
    return c.json({ id, status, reference, priceCents: purchase.priceCents })
  })

  app.get('/pay/:id', (c) => {
    const checkout = checkouts.find(c.req.param('id'))
    if (!checkout) return c.text('No such checkout.', 404)
    return c.html(checkout.status === 'open' ? checkoutPage(checkout) : closedPage(checkout))
  })

  app.post('/pay/:id', async (c) => {
    const checkout = checkouts.find(c.req.param('id'))
    if (!checkout) return c.text('No such checkout.', 404)
    if (checkout.status !== 'open') return c.html(closedPage(checkout))
    if ((await c.req.parseBody()).how === 'cancel') return c.redirect(checkout.cancelUrl)
    checkout.status = 'complete'
    sender.send(fake.checkout(checkout.id, checkout.purchase))
    // Usually the webhook arrives before the customer returns to the shop.
    await sender.settled()
    return c.redirect(checkout.successUrl)
  })

  app.get('/', (c) => c.html(controlPage(fake, sender.log, c.req.query('notice') ?? null)))
  app.post('/control/:action', async (c) => {
    const notice = await control(c, fake, sender)
    await sender.settled()
    return c.redirect(`/?notice=${encodeURIComponent(notice)}`)
  })

  return {
    url,
    fake,
    addEndpoint: sender.addEndpoint,
    send: sender.send,
    log: sender.log,
    settled: sender.settled,
    stop: async () => {
      sender.stop()
      await server.stop(true)
    },
  }
}

export type FakeServer = ReturnType<typeof startFake>

const control = async (c: Context, fake: Fake, sender: Sender) => {
  const form = await c.req.parseBody()
  const [name, value] = [String(form.name ?? ''), String(form.value ?? '')]
  try {
    switch (c.req.param('action')) {
      case 'refund':
        sender.send(fake.refund(name, value ? { cents: Number(value) } : {}))
        return 'Payment refunded.'
      case 'renew':
        sender.send(fake.renew(name, crypto.randomUUID()))
        return 'Subscription renewed for another month.'
      case 'upgrade':
        sender.send(fake.upgrade(name, crypto.randomUUID(), doublePrice(fake, name)))
        return 'Subscription upgraded to twice the price, in the middle of the month.'
      case 'end':
        sender.send(fake.end(name))
        return 'Subscription ended.'
      case 'dispute':
        sender.send(fake.dispute(name, value as DisputeStep))
        return 'Dispute updated.'
      case 'resend': {
        const sent = sender.log[Number(name)]
        if (sent) sender.resend(sent)
        return 'Webhook resent.'
      }
      default:
        return 'Unknown action.'
    }
  } catch (error) {
    return (error as Error).message
  }
}

const doublePrice = (fake: Fake, name: string) => {
  const { purchase } = fake.find(name)
  const priceCents = fake.payments().findLast((payment) => payment.purchase === purchase)?.priceCents ?? 0
  return { priceCents: 2 * priceCents, chargeCents: Math.round(priceCents / 2) }
}
