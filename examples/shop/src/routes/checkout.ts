import type { Context } from 'hono'
import { accountPage, ownCheckoutPage, thanksPage } from '../pages/account.ts'
import { planNamed } from '../plans.ts'
import { type App, type Dependencies, field, frameOf } from './context.ts'

export const checkout = (app: App, dependencies: Dependencies) => {
  const { config, customers, referrals, hostedCheckout, shopUrl } = dependencies

  const begin = async (c: Context, planId: string) => {
    const plan = planNamed(planId)
    if (!plan) return c.redirect('/pricing', 303)
    const frame = frameOf(c, dependencies)
    if (!frame.customer) return c.redirect(`/sign-up?plan=${plan.id}`, 303)
    if (config.payments === 'server') return c.html(ownCheckoutPage(frame, plan))
    const cookies = c.req.header('cookie')
    return c.redirect(await hostedCheckout.open({ customer: frame.customer, plan, cookies, shopUrl: shopUrl() }), 303)
  }
  app.post('/checkout', async (c) => begin(c, await field(c, 'plan')))
  app.get('/checkout', (c) => begin(c, c.req.query('plan') ?? ''))

  /** The processor sends the customer here; the sale itself reaches Tributary by the processor's webhook. */
  app.get('/thanks', async (c) => {
    const frame = frameOf(c, dependencies)
    const { session = '', plan } = c.req.query()
    const { customer } = frame
    const kept = customer?.orders.find(({ id }) => id === session)
    const order = customer && (kept?.state === 'paid' ? kept : await hostedCheckout.look(customer, session, plan))
    if (!customer || !order) return c.redirect('/account', 303)
    customers.keepOrder(customer, order)
    return c.html(thanksPage(frame, order))
  })

  /** Server-to-server: the shop takes the money itself and says so. */
  app.post('/pay', async (c) => {
    const { customer } = frameOf(c, dependencies)
    const plan = planNamed(await field(c, 'plan'))
    if (!customer || !plan || config.payments !== 'server') return c.redirect('/pricing', 303)
    const order = { id: `quillet_${crypto.randomUUID()}`, plan, state: 'paid' as const }
    customers.keepOrder(customer, order)
    await referrals.sold(customer, order)
    return c.redirect(`/thanks?session=${order.id}`, 303)
  })

  app.post('/refund', async (c) => {
    const { customer } = frameOf(c, dependencies)
    const id = await field(c, 'order')
    const order = customer?.orders.find((each) => each.id === id)
    if (!customer || order?.state !== 'paid' || config.payments !== 'server') return c.redirect('/account', 303)
    customers.keepOrder(customer, { ...order, state: 'refunded' })
    await referrals.refunded(customer, order)
    return c.redirect('/account', 303)
  })

  app.get('/account', async (c) => {
    const frame = frameOf(c, dependencies)
    for (const { id, plan, state } of frame.customer?.orders ?? []) {
      const order = state === 'pending' && frame.customer && (await hostedCheckout.look(frame.customer, id, plan.id))
      if (order && frame.customer) customers.keepOrder(frame.customer, order)
    }
    return frame.customer ? c.html(accountPage(frame, frame.customer)) : c.redirect('/sign-up', 303)
  })
}
