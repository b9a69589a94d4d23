import type { Context } from 'hono'
import { accountPage, ownCheckoutPage, thanksPage } from '../pages/account.ts'
import { findPlan } from '../plans.ts'
import { type App, type Dependencies, readContext, readField } from './context.ts'

export const checkout = (app: App, dependencies: Dependencies) => {
  const { config, customers, referrals, hostedCheckout, shopUrl } = dependencies

  const startCheckout = async (c: Context, planId: string) => {
    const plan = findPlan(planId)
    if (!plan) return c.redirect('/pricing', 303)
    const context = readContext(c, dependencies)
    if (!context.customer) return c.redirect(`/sign-up?plan=${plan.id}`, 303)
    if (config.payments === 'server') return c.html(ownCheckoutPage(context, plan))
    const cookies = c.req.header('cookie')
    return c.redirect(await hostedCheckout.open({ customer: context.customer, plan, cookies, shopUrl: shopUrl() }), 303)
  }
  app.post('/checkout', async (c) => startCheckout(c, await readField(c, 'plan')))
  app.get('/checkout', (c) => startCheckout(c, c.req.query('plan') ?? ''))

  /** The processor redirects the customer here. Tributary learns of the sale from the webhook. */
  app.get('/thanks', async (c) => {
    const context = readContext(c, dependencies)
    const { session = '', plan } = c.req.query()
    const { customer } = context
    const saved = customer?.orders.find(({ id }) => id === session)
    const order =
      customer && (saved?.state === 'paid' ? saved : await hostedCheckout.findOrder(customer, session, plan))
    if (!customer || !order) return c.redirect('/account', 303)
    customers.saveOrder(customer, order)
    return c.html(thanksPage(context, order))
  })

  /** Server-side tracking: the shop takes the payment and reports it. */
  app.post('/pay', async (c) => {
    const { customer } = readContext(c, dependencies)
    const plan = findPlan(await readField(c, 'plan'))
    if (!customer || !plan || config.payments !== 'server') return c.redirect('/pricing', 303)
    const order = { id: `quillet_${crypto.randomUUID()}`, plan, state: 'paid' as const }
    customers.saveOrder(customer, order)
    await referrals.reportSale(customer, order)
    return c.redirect(`/thanks?session=${order.id}`, 303)
  })

  app.post('/refund', async (c) => {
    const { customer } = readContext(c, dependencies)
    const id = await readField(c, 'order')
    const order = customer?.orders.find((each) => each.id === id)
    if (!customer || order?.state !== 'paid' || config.payments !== 'server') return c.redirect('/account', 303)
    customers.saveOrder(customer, { ...order, state: 'refunded' })
    await referrals.reportRefund(customer, order)
    return c.redirect('/account', 303)
  })

  app.get('/account', async (c) => {
    const context = readContext(c, dependencies)
    for (const { id, plan, state } of context.customer?.orders ?? []) {
      const order =
        state === 'pending' && context.customer && (await hostedCheckout.findOrder(context.customer, id, plan.id))
      if (order && context.customer) customers.saveOrder(context.customer, order)
    }
    return context.customer ? c.html(accountPage(context, context.customer)) : c.redirect('/sign-up', 303)
  })
}
