import type { Context } from 'hono'
import { ProcessorError } from '../processor-error.ts'
import type { Deliveries } from '../publisher.ts'
import type { Store } from '../store.ts'
import type { App, Dependencies, Env } from '../wire/context.ts'
import { type Form, readForm, text } from '../wire/form.ts'
import { checkoutPage, closedPage } from './checkout.ts'
import { controlPage } from './control.ts'

/** The hosted checkout, and the control page for everything after it. */
export const pages = (app: App, dependencies: Dependencies & { deliveries: Deliveries }) => {
  const { store, actions, publisher, deliveries } = dependencies
  app.get('/', (c) => c.html(controlPage(store, deliveries.log, c.req.query('notice') ?? null)))

  app.get('/pay/:id', (c) => {
    const payment = sessionOf(store, c.req.param('id'))
    return c.html(payment.status === 'open' ? checkoutPage(payment) : closedPage(payment))
  })

  app.post('/pay/:id', async (c) => {
    const payment = sessionOf(store, c.req.param('id'))
    if (payment.status !== 'open') return c.html(closedPage(payment))
    const how = text(readForm(await c.req.text()), 'how')
    if (how === 'cancel') return c.redirect(payment.cancelUrl ?? '/')
    actions.pay(payment.account, c.req.param('id'), how === 'bank_debit' ? 'bank_debit' : 'card')
    // Usually the webhook arrives before the customer returns to the shop.
    await deliveries.firstAttempts()
    return c.redirect((payment.successUrl ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', c.req.param('id')))
  })

  app.post('/control/:action', async (c) => {
    const form = readForm(await c.req.text())
    const notice = control(c, form)
    await deliveries.firstAttempts()
    return c.redirect(`/?notice=${encodeURIComponent(notice)}`)
  })

  const control = (c: Context<Env>, form: Form) => {
    const id = text(form, 'id') ?? ''
    const value = text(form, 'value')
    const account = accountWith(store, id)
    try {
      switch (c.req.param('action')) {
        case 'settle':
          actions.settle(account, id, value === 'fails' ? 'fails' : 'succeeds')
          return 'Payment updated.'
        case 'refund':
          actions.refund(account, id, value ? { amountCents: Number(value) } : {})
          return 'Payment refunded.'
        case 'renew':
          actions.renew(account, id)
          return 'Subscription renewed for another month.'
        case 'end':
          actions.endSubscription(account, id)
          return 'Subscription canceled.'
        case 'dispute':
          actions.openDispute(account, id)
          return 'Dispute opened.'
        case 'close-dispute':
          actions.closeDispute(account, id, value === 'won' ? 'won' : 'lost')
          return 'Dispute closed.'
        case 'resend':
          publisher.resend(id)
          return 'Webhook resent.'
        default:
          return 'Unknown action.'
      }
    } catch (error) {
      if (error instanceof ProcessorError) return error.message
      throw error
    }
  }
}

const sessionOf = (store: Store, id: string) => {
  const payment = store.payments.get(id)
  if (!payment) throw new ProcessorError(404, `No such checkout session: '${id}'`)
  return payment
}

const accountWith = (store: Store, id: string) => {
  const paymentId = store.disputes.get(id)?.paymentId ?? id
  const payment = [...store.payments.values()].find(({ ids }) => Object.values(ids).includes(paymentId))
  return payment?.account ?? ''
}
