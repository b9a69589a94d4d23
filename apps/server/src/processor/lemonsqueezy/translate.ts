import { SAME_PAYMENT } from '../../payments/payment-report.ts'
import { withoutTax } from '../translating/amounts.ts'
import { attributionIn, invoiceIdIn } from '../translating/attribution.ts'
import { type Fields, idOf, momentOf } from '../translating/fields.ts'
import { paidReport, pendingReport, REST_OF_SECOND_MS, report, subscriptionEnded } from '../translating/reports.ts'
import type { IncomingEvent, Translate } from '../translation.ts'
import { amountIn } from './amounts.ts'
import { idIn } from './read-event.ts'

type Payment = {
  event: IncomingEvent
  references: (string | null)[]
  at: Date
  isFirst: boolean
  customerId: string | null
}

/** Orders and invoices are numbered separately, within a store. */
const named = (kind: string, id: string | null) => (id ? `${kind}:${id}` : null)
const firstPaymentOf = (subscriptionId: string | null) =>
  named('subscription', subscriptionId && `${subscriptionId}:first`)

/** A one-time payment, or the first payment of a subscription. */
const orderOf = (event: IncomingEvent): Payment => {
  const { object: order, createdAt } = event
  const references = [idOf(order.identifier), named('order', idIn(order, 'id'))]
  const customerId = idIn(order, 'customer_id')
  return { event, references, at: momentOf(order.created_at) ?? createdAt, isFirst: true, customerId }
}

/** A payment of a subscription. The first one has an order too, which its invoice does not name. */
const invoiceOf = (event: IncomingEvent): Payment => {
  const { object: invoice, createdAt } = event
  const isFirst = invoice.billing_reason === 'initial'
  const first = isFirst ? firstPaymentOf(idIn(invoice, 'subscription_id')) : null
  // Until the two are joined, a known customer must not be credited for both.
  const customerId = isFirst ? null : idIn(invoice, 'customer_id')
  return { event, references: [named('invoice', idIn(invoice, 'id')), first], at: createdAt, isFirst, customerId }
}

const commonParts = ({ event, references, at, isFirst, customerId }: Payment) => ({
  references: event.scope ? references : [],
  at,
  attribution: attributionIn(event.object.custom_data),
  customerId: event.scope ? customerId : null,
  // Renewals repeat the custom data of the checkout.
  ...(isFirst && invoiceIdIn(event.object.custom_data)),
})

const amountsOf = (object: Fields) => {
  const gross = amountIn(object, 'total')
  return { gross, netCents: gross && withoutTax(gross, amountIn(object, 'tax')) }
}

/** The order contains the setup fee, so it counts before the first invoice. */
const paid = (payment: Payment, source: 'invoice' | 'checkout') => {
  const { object } = payment.event
  const { gross, netCents } = amountsOf(object)
  if (netCents === null) return { ignored: 'amount_missing' } as const
  const subscriptionId = idIn(object, 'subscription_id')
  return paidReport({ ...commonParts(payment), gross, netCents, source, subscriptionId, withinMs: REST_OF_SECOND_MS })
}

/** The total refunded so far, with tax. An order and its first invoice report the same one. */
const refunded = (payment: Payment) => {
  const { object, createdAt: at } = payment.event
  const isFull = object.status === 'fraudulent' || (isRefunded(object) && object.refunded_amount === undefined)
  const amount = amountIn(object, isFull ? 'total' : 'refunded_amount')
  if (!amount?.cents) return { ignored: 'amount_missing' } as const
  const { cents: grossCents, currency } = amount
  return report({
    ...commonParts({ ...payment, at }),
    says: { kind: 'refunded_in_all', grossCents, currency, isOfPayment: true },
  })
}

const isRefunded = ({ status, refunded: all }: Fields) => status === 'refunded' || all === true

/** Lemon Squeezy has no disputes; an order found to be fraudulent gives the money back. */
const orderChanged: Translate = (event) => {
  const order = orderOf(event)
  const { status } = event.object
  if (event.type === 'order_refunded' || status === 'fraudulent') return refunded(order)
  if (event.type !== 'order_created') return { ignored: 'other_event' }
  if (status === 'failed') return { ignored: 'payment_failed' }
  if (status === 'pending') return pendingReport({ ...commonParts(order), ...amountsOf(event.object) })
  return paid(order, 'invoice')
}

const invoiceChanged: Translate = (event) => {
  if (event.type === 'subscription_payment_refunded') return refunded(invoiceOf(event))
  if (event.type === 'subscription_payment_failed') return { ignored: 'payment_failed' }
  const isPaid = ['subscription_payment_success', 'subscription_payment_recovered'].includes(event.type)
  return isPaid ? paid(invoiceOf(event), 'checkout') : { ignored: 'other_event' }
}

/**
 * Every event of a subscription names its order, so one that is lost does no harm. All of them make the same report, which is stored
 * once.
 */
const subscriptionChanged: Translate = (event) => {
  if (['subscription_cancelled', 'subscription_expired'].includes(event.type)) return subscriptionEnded(event)
  const { object: subscription, createdAt } = event
  const first = firstPaymentOf(idIn(subscription, 'id'))
  const references = [named('order', idIn(subscription, 'order_id')), first]
  const at = momentOf(subscription.created_at) ?? createdAt
  const customerId = idIn(subscription, 'customer_id')
  return report({ ...commonParts({ event, references, at, isFirst: false, customerId }), says: SAME_PAYMENT })
}

const BY_KIND: Record<string, Translate> = {
  orders: orderChanged,
  'subscription-invoices': invoiceChanged,
  subscriptions: subscriptionChanged,
}

/** Translates a Lemon Squeezy event into our terms. Pure: the same event always gives the same result. */
export const translate: Translate = (event) => {
  const kind = String(event.object.kind)
  return (Object.hasOwn(BY_KIND, kind) && BY_KIND[kind]?.(event)) || { ignored: 'other_event' }
}
