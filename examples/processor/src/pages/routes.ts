import type { Context } from 'hono'
import type { Books } from '../books.ts'
import { ProcessorError } from '../processor-error.ts'
import type { Deliveries } from '../tell.ts'
import type { App, Dependencies, Env } from '../wire/context.ts'
import { type Form, readForm, text } from '../wire/form.ts'
import { checkoutPage, closedPage } from './checkout.ts'
import { controlPage } from './control.ts'

/** The pages for people: the hosted checkout, and what can happen to a payment later. */
export const pages = (app: App, dependencies: Dependencies & { deliveries: Deliveries }) => {
  const { books, actions, tell, deliveries } = dependencies
  app.get('/', (c) => c.html(controlPage(books, deliveries.log, c.req.query('notice') ?? null)))

  app.get('/pay/:id', (c) => {
    const payment = sessionOf(books, c.req.param('id'))
    return c.html(payment.status === 'open' ? checkoutPage(payment) : closedPage(payment))
  })

  app.post('/pay/:id', async (c) => {
    const payment = sessionOf(books, c.req.param('id'))
    if (payment.status !== 'open') return c.html(closedPage(payment))
    const how = text(readForm(await c.req.text()), 'how')
    if (how === 'cancel') return c.redirect(payment.cancelUrl ?? '/')
    actions.pay(payment.account, c.req.param('id'), how === 'bank_debit' ? 'bank_debit' : 'card')
    // Merchants expect their webhook to be there by the time the customer is back, and mostly it is.
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
    const account = accountWith(books, id)
    try {
      switch (c.req.param('action')) {
        case 'settle':
          actions.settle(account, id, value === 'fails' ? 'fails' : 'succeeds')
          return 'The bank has answered.'
        case 'refund':
          actions.refund(account, id, value ? { amountCents: Number(value) } : {})
          return 'Refunded.'
        case 'renew':
          actions.renew(account, id)
          return 'Renewed: a month has passed for this subscription.'
        case 'end':
          actions.endSubscription(account, id)
          return 'The subscription has ended.'
        case 'dispute':
          actions.openDispute(account, id)
          return 'The customer disputes the payment.'
        case 'close-dispute':
          actions.closeDispute(account, id, value === 'won' ? 'won' : 'lost')
          return 'The dispute is closed.'
        case 'resend':
          tell.resend(id)
          return 'Sent again.'
        default:
          return 'There is no such action.'
      }
    } catch (error) {
      if (error instanceof ProcessorError) return error.message
      throw error
    }
  }
}

const sessionOf = (books: Books, id: string) => {
  const payment = books.payments.get(id)
  if (!payment) throw new ProcessorError(404, `No such checkout session: '${id}'`)
  return payment
}

const accountWith = (books: Books, id: string) => {
  const paymentId = books.disputes.get(id)?.paymentId ?? id
  const payment = [...books.payments.values()].find(({ ids }) => Object.values(ids).includes(paymentId))
  return payment?.account ?? ''
}
