import { prorate } from '../../money/rewards/rewards.ts'
import { type Amount, amountIn } from '../translating/amounts.ts'
import { attributionIn, invoiceIdIn, numbersAsText } from '../translating/attribution.ts'
import { codeNamed, withCodes } from '../translating/codes.ts'
import { type Fields, fieldsOf, idOf, momentOf, parseFields, read, wholeNumber } from '../translating/fields.ts'
import {
  customerReport,
  paidReport,
  refundedInAllReport,
  refundReport,
  subscriptionEnded,
  translateBy,
} from '../translating/reports.ts'
import type { IncomingEvent, Translate } from '../translation.ts'
import { itemsOfOrder } from './items.ts'

/** Polar charges through Stripe, in Stripe's units. */
const amountOf = amountIn({ unusedDecimals: ['ISK', 'UGX'], missingDecimals: ['MGA'] })

/** Null if the type or the object is missing. The sandbox sends the same events as production, with another secret. */
export const readEvent = (text: string, receivedAt: Date, eventId: string | null): IncomingEvent | null => {
  const event = parseFields(text)
  const [id, type, object] = [idOf(eventId), idOf(event.type), fieldsOf(event.data)]
  if (!id || !type || Object.keys(object).length === 0) return null
  return {
    processor: 'polar',
    id,
    type,
    createdAt: momentOf(event.timestamp) ?? receivedAt,
    receivedAt,
    livemode: true,
    accountId: organizationOf(object),
    apiVersion: null,
    object,
  }
}

/** Orders and subscriptions name the organization only in what they contain. */
const organizationOf = (object: Fields) =>
  idOf(object.organization_id) ??
  idOf(read(object, 'customer', 'organization_id')) ??
  idOf(read(object, 'product', 'organization_id'))

/** The first order of a checkout. Renewals repeat its metadata, and must not be joined to it. */
const isFirst = (order: Fields) => ['purchase', 'subscription_create'].includes(String(order.billing_reason))

const referencesOf = (order: Fields) => [idOf(order), isFirst(order) ? idOf(order.checkout_id) : null]

/** order.paid: a purchase, a subscription's first payment or renewal, or the proration of a change. */
const orderPaid: Translate = ({ object: order, createdAt }) => {
  const { gross, netCents } = amountsOf(order)
  const metadata = numbersAsText(order.metadata)
  return paidReport({
    references: referencesOf(order),
    at: createdAt,
    attribution: attributionIn(metadata, numbersAsText(read(order, 'subscription', 'metadata'))),
    customerId: idOf(order.customer_id),
    ...withCodes([codeNamed(read(order, 'discount', 'code'))]),
    ...(isFirst(order) && invoiceIdIn(metadata)),
    gross,
    netCents,
    source: 'invoice',
    ...itemsOfOrder(order),
    subscriptionId: idOf(order.subscription_id),
  })
}

/**
 * The amount charged for the order. A credit from an earlier change reduces it: the sale that paid for the credit already counts.
 * The credit itself is an order with a negative total.
 */
const amountsOf = (order: Fields): { gross: Amount | null; netCents: number | null } => {
  const [total, net] = [wholeNumber(order.total_amount), wholeNumber(order.net_amount)]
  if (total === null || net === null) return { gross: null, netCents: null }
  const chargedCents = Math.max(0, total + Math.min(0, wholeNumber(order.applied_balance_amount) ?? 0))
  const gross = amountOf(chargedCents, order.currency)
  if (chargedCents === 0 || net < 0 || net > total) return { gross, netCents: null }
  return { gross, netCents: amountOf(prorate(chargedCents, net, total), order.currency)?.cents ?? null }
}

/** order.refunded: the total refunded so far. */
const orderRefunded: Translate = ({ object: order, createdAt: at }) => {
  const amount = sumOf(order.refunded_amount, order.refunded_tax_amount, order.currency)
  return refundedInAllReport({ references: referencesOf(order), at, customerId: idOf(order.customer_id), amount })
}

const REFUND_STATES: Record<string, 'made' | 'failed'> = { succeeded: 'made', failed: 'failed', canceled: 'failed' }

/** refund.created, refund.updated. A dispute that Polar prevents is a refund; there are no events of other disputes. */
const refundChanged: Translate = ({ object: refund, createdAt: at }) => {
  const state = REFUND_STATES[String(refund.status)]
  if (!state) return { ignored: 'refund_pending' }
  return refundReport({
    references: [idOf(refund.order_id)],
    at,
    customerId: idOf(refund.customer_id),
    refundId: idOf(refund),
    amount: sumOf(refund.amount, refund.tax_amount, refund.currency),
    state,
    reason: refund.reason,
  })
}

/** subscription.created: the customer may be in a trial, and pay for the first time weeks later. */
const subscriptionCreated: Translate = ({ object: subscription, createdAt: at }) =>
  customerReport({
    customerId: idOf(subscription.customer_id),
    attribution: attributionIn(numbersAsText(subscription.metadata)),
    at,
  })

/** Refunds state the amount without tax, and the tax. */
const sumOf = (net: unknown, tax: unknown, currency: unknown) => {
  const [netCents, taxCents] = [wholeNumber(net), wholeNumber(tax)]
  return netCents === null || taxCents === null ? null : amountOf(netCents + taxCents, currency)
}

const BY_TYPE: Record<string, Translate> = {
  'order.paid': orderPaid,
  'order.refunded': orderRefunded,
  'refund.created': refundChanged,
  'refund.updated': refundChanged,
  'subscription.created': subscriptionCreated,
  'subscription.canceled': subscriptionEnded,
  'subscription.revoked': subscriptionEnded,
}

export const translate = translateBy(BY_TYPE)

export const EVENT_TYPES = Object.keys(BY_TYPE)
