import { described } from '@tributary/contract'
import { amountOf, withoutTax } from '../translating/amounts.ts'
import { attributionIn, invoiceIdIn, numbersAsText } from '../translating/attribution.ts'
import { type Fields, fieldsOf, idOf, momentOf, parseFields, read } from '../translating/fields.ts'
import { customerReport, paidReport, report } from '../translating/reports.ts'
import type { IncomingEvent, Translate, UnassignedReport } from '../translation.ts'

/** Null if the type or the object is missing. */
export const readEvent = (text: string, receivedAt: Date, eventId: string | null): IncomingEvent | null => {
  const event = parseFields(text)
  const [id, type, object] = [idOf(eventId), idOf(event.type), fieldsOf(event.data)]
  if (!id || !type || Object.keys(object).length === 0) return null
  return {
    processor: 'dodo',
    id,
    type,
    createdAt: momentOf(event.timestamp) ?? receivedAt,
    receivedAt,
    livemode: !isTest(object),
    accountId: idOf(event.business_id),
    apiVersion: null,
    object,
  }
}

/** Only payments show their mode, in the addresses of their pages. */
const isTest = ({ payment_link, invoice_url }: Fields) =>
  [payment_link, invoice_url].some((page) => typeof page === 'string' && page.startsWith('https://test.'))

const customerOf = (object: Fields) => idOf(read(object, 'customer', 'customer_id'))

/**
 * payment.succeeded: a purchase, a subscription's first payment or renewal, or the proration of a change. Renewals have no checkout
 * session and repeat the subscription's metadata.
 */
const paymentSucceeded: Translate<UnassignedReport> = ({ object: payment, createdAt }) => {
  const gross = amountOf(payment.total_amount, payment.currency)
  const subscriptionId = idOf(payment.subscription_id)
  const session = idOf(payment.checkout_session_id)
  const metadata = numbersAsText(payment.metadata)
  return paidReport({
    references: [idOf(payment.payment_id), subscriptionId ? null : session],
    at: createdAt,
    attribution: attributionIn(metadata),
    customerId: customerOf(payment),
    ...((session || !subscriptionId) && invoiceIdIn(metadata)),
    gross,
    netCents: gross && withoutTax(gross, amountOf(payment.tax ?? 0, payment.currency)),
    source: 'payment',
    subscriptionId,
  })
}

/** refund.succeeded, refund.failed: one refund, including tax. */
const refundOf =
  (state: 'made' | 'failed'): Translate<UnassignedReport> =>
  ({ object: refund, createdAt }) => {
    const refundId = idOf(refund.refund_id)
    const amount = amountOf(refund.amount, refund.currency)
    if (!refundId || !amount || amount.cents === 0) return { ignored: 'amount_missing' }
    const reason = typeof refund.reason === 'string' ? described(refund.reason, 100) : null
    return report({
      references: [idOf(refund.payment_id)],
      at: createdAt,
      customerId: customerOf(refund),
      says: { kind: 'refund', refundId, grossCents: amount.cents, currency: amount.currency, state, reason },
    })
  }

/** dispute.*: the type decides, because every delivery has the dispute's latest status. */
const disputeOf =
  (state: 'open' | 'won' | 'lost'): Translate<UnassignedReport> =>
  ({ object: dispute, createdAt }) => {
    const disputeId = idOf(dispute.dispute_id)
    if (!disputeId) return { ignored: 'no_payment_named' }
    const amount = amountOf(dispute.amount, dispute.currency)
    const disputed = amount ? { grossCents: amount.cents, currency: amount.currency } : { grossCents: null }
    return report({
      references: [idOf(dispute.payment_id)],
      at: createdAt,
      customerId: customerOf(dispute),
      says: { kind: 'dispute', disputeId, state, ...disputed },
    })
  }

/** subscription.active: the customer may be in a trial, and pay for the first time weeks later. */
const subscriptionActive: Translate<UnassignedReport> = ({ object: subscription, createdAt: at }) =>
  customerReport({
    customerId: customerOf(subscription),
    attribution: attributionIn(numbersAsText(subscription.metadata)),
    at,
  })

/** All other types are stored and ignored. */
const BY_TYPE: Record<string, Translate<UnassignedReport>> = {
  'payment.succeeded': paymentSucceeded,
  'refund.succeeded': refundOf('made'),
  'refund.failed': refundOf('failed'),
  'dispute.opened': disputeOf('open'),
  'dispute.won': disputeOf('won'),
  'dispute.cancelled': disputeOf('won'),
  'dispute.lost': disputeOf('lost'),
  'dispute.accepted': disputeOf('lost'),
  'dispute.expired': disputeOf('lost'),
  'subscription.active': subscriptionActive,
  'subscription.cancelled': () => ({ ignored: 'subscription_ended' }),
  'subscription.expired': () => ({ ignored: 'subscription_ended' }),
}

export const translate: Translate<UnassignedReport> = (event) =>
  (Object.hasOwn(BY_TYPE, event.type) && BY_TYPE[event.type]?.(event)) || { ignored: 'other_event' }

export const EVENT_TYPES = Object.keys(BY_TYPE)
