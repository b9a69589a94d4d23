import { afterAll, expect, test } from 'bun:test'
import { PROCESSOR_NAMES, type ProcessorName, startFake } from '../../src/fakes/index.ts'

/** An endpoint that answers with the given statuses, then 200, and keeps what it received. */
const givenEndpoint = (statuses: number[] = []) => {
  const received: { type: string; headers: Headers; body: string }[] = []
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const body = await request.text()
      const content = JSON.parse(body)
      received.push({
        type: content.event_type ?? content.type ?? content.meta.event_name,
        headers: request.headers,
        body,
      })
      return new Response(null, { status: statuses.shift() ?? 200 })
    },
  })
  afterAll(() => server.stop(true))
  return { url: `http://localhost:${server.port}`, received }
}

const givenFake = (processor: ProcessorName, statuses?: number[]) => {
  const endpoint = givenEndpoint(statuses)
  const server = startFake({ processor, secret: 'whsec_c2VjcmV0', retryDelaysMs: [1, 1] })
  server.addEndpoint(endpoint.url)
  afterAll(server.stop)
  return { ...server, received: endpoint.received }
}

const CHECKOUT = {
  product: 'Quillet Team',
  priceCents: 4900,
  currency: 'usd',
  mode: 'subscription',
  email: 'ann@example.com',
  name: 'Ann <Customer>',
  reference: 'user_1',
  metadata: { program_id: '1' },
  successUrl: 'https://shop.example/thanks?session={CHECKOUT_ID}',
  cancelUrl: 'https://shop.example/pricing',
}

const openCheckout = async (url: string, change: object = {}) => {
  const response = await fetch(`${url}/checkouts`, { method: 'POST', body: JSON.stringify({ ...CHECKOUT, ...change }) })
  return { status: response.status, checkout: (await response.json()) as { id: string; url: string } }
}

const press = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

test.each(PROCESSOR_NAMES)('%p: checkout, renewal, refund and dispute in the browser', async (processor) => {
  const { url, received, fake } = givenFake(processor)
  const { checkout } = await openCheckout(url)
  const page = await (await fetch(checkout.url)).text()
  expect(page).toContain('$49.00')

  const back = await press(checkout.url, { how: 'card' })
  expect(back.headers.get('location')).toBe(`https://shop.example/thanks?session=${checkout.id}`)
  const state = await (await fetch(`${url}/checkouts/${checkout.id}`)).json()
  expect(state).toEqual({ id: checkout.id, status: 'complete', reference: 'user_1', priceCents: 4900 })
  expect(await (await press(checkout.url, { how: 'card' })).text()).toContain('closed')
  expect(fake.payments()).toHaveLength(1)

  const control = async (action: string, value = '') => {
    const { length } = received
    const answer = await press(`${url}/control/${action}`, { name: checkout.id, value })
    return {
      notice: new URL(answer.headers.get('location') ?? '', url).searchParams.get('notice'),
      sent: received.length - length,
    }
  }
  expect((await control('renew')).sent).toBeGreaterThan(0)
  expect((await control('upgrade')).sent).toBeGreaterThan(0)
  expect((await control('refund', '100')).sent).toBeGreaterThan(0)
  for (const step of fake.disputeSteps) expect((await control('dispute', step)).sent).toBeGreaterThan(0)
  expect((await control('end')).sent).toBeGreaterThan(0)
  expect(await control('renew')).toEqual({ notice: `The subscription of ${checkout.id} has ended.`, sent: 0 })
  expect(await (await fetch(url)).text()).toContain('Resend')
})

test('only a payment that the processor can dispute offers it', async () => {
  const { url } = givenFake('lemonsqueezy')
  const { checkout } = await openCheckout(url)
  await press(checkout.url, { how: 'card' })
  const offers = async () => (await (await fetch(url)).text()).split('Open dispute').length - 1
  expect(await offers()).toBe(1)
  await press(`${url}/control/renew`, { name: checkout.id, value: '' })
  expect(await (await fetch(url)).text()).toContain('renewal')
  expect(await offers()).toBe(1)
})

test('a checkout without a field is refused, and a canceled one stays open', async () => {
  const { url, received } = givenFake('polar')
  expect((await openCheckout(url, { product: undefined })).status).toBe(400)
  const { checkout } = await openCheckout(url)
  const back = await press(checkout.url, { how: 'cancel' })
  expect(back.headers.get('location')).toBe('https://shop.example/pricing')
  expect(await (await fetch(checkout.url)).text()).toContain('Pay $49.00')
  expect(received).toEqual([])
})

test('a failed webhook is sent again, with the same id and body', async () => {
  const { url, received, settled, log } = givenFake('dodo', [500])
  const { checkout } = await openCheckout(url, { mode: 'payment' })
  await press(checkout.url, { how: 'card' })
  while (received.length < 2) await Bun.sleep(5)
  await settled()
  const [first, second] = received
  expect(second?.body).toBe(first?.body ?? '')
  expect(second?.headers.get('webhook-id')).toBe(first?.headers.get('webhook-id') ?? '')
  expect(log).toMatchObject([{ attempts: 2, status: 200 }])
})
