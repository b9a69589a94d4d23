import { chargeOf } from '../objects/charge.ts'
import { customerOf } from '../objects/customer.ts'
import { paymentIntentOf } from '../objects/payment-intent.ts'
import { refundOf } from '../objects/refund.ts'
import type { Payment, PaymentIds } from '../payment.ts'
import { noSuch, ProcessorError } from '../processor-error.ts'
import type { WireObject } from '../shapes.ts'
import { requireObject } from '../store.ts'
import type { App, Dependencies } from './context.ts'
import { currentInvoice, currentSubscription, expanded } from './expand.ts'
import { pairsOf, text } from './form.ts'

/** Read endpoints for every object, plus refunds, intents and subscription cancellation. */
export const objects = (app: App, { store, actions }: Dependencies) => {
  const kinds: [path: string, kind: keyof PaymentIds, render: (payment: Payment) => WireObject][] = [
    ['payment_intents', 'intent', paymentIntentOf],
    ['charges', 'charge', chargeOf],
    ['invoices', 'invoice', currentInvoice],
    ['subscriptions', 'subscription', (payment) => currentSubscription(store, payment)],
    ['customers', 'customer', customerOf],
  ]
  for (const [path, kind, render] of kinds)
    app.get(`/v1/${path}/:id`, (c) => {
      const payment = requireObject(store, c.get('account'), kind, c.req.param('id') ?? '')
      return c.json(expanded(store, payment, render(payment), c.get('form')))
    })

  app.delete('/v1/subscriptions/:id', (c) => {
    const payment = actions.endSubscription(c.get('account'), c.req.param('id'))
    return c.json(currentSubscription(store, payment))
  })

  app.post('/v1/payment_intents', (c) => {
    const form = c.get('form')
    const amount = Number(text(form, 'amount'))
    if (!Number.isInteger(amount) || amount < 1)
      throw new ProcessorError(400, 'Invalid positive integer', { param: 'amount' })
    if (text(form, 'confirm') !== 'true')
      throw new ProcessorError(400, 'The fake processor supports only intents with confirm=true.', { param: 'confirm' })
    const told = {
      subtotalCents: amount,
      currency: text(form, 'currency') ?? 'usd',
      metadata: { intent: pairsOf(form, 'metadata') },
    }
    return c.json(paymentIntentOf(actions.payIntent(c.get('account'), told)))
  })

  app.post('/v1/refunds', (c) => {
    const form = c.get('form')
    const id = text(form, 'charge') ?? text(form, 'payment_intent')
    if (!id)
      throw new ProcessorError(
        400,
        'One of the following params should be provided for this request: payment_intent or charge.',
      )
    const amount = text(form, 'amount')
    const { payment, refund } = actions.refund(c.get('account'), id, {
      ...(amount !== null && { amountCents: Number(amount) }),
      reason: text(form, 'reason'),
    })
    return c.json(refundOf(payment, refund))
  })

  app.get('/v1/refunds/:id', (c) => {
    const refund = store.refunds.get(c.req.param('id'))
    if (!refund) throw noSuch('refund', c.req.param('id'))
    return c.json(refundOf(requireAny(refund.paymentId, c.get('account')), refund))
  })

  const requireAny = (paymentId: string, account: string) => {
    const payment = store.payments.get(paymentId)
    if (payment?.account !== account) throw noSuch('payment', paymentId)
    return payment
  }
}
