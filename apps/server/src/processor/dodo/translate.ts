import { amountOf, withoutTax } from '../translating/amounts.ts'
import { attributionIn, invoiceIdIn, numbersAsText } from '../translating/attribution.ts'
import { type Fields, fieldsOf, idOf, momentOf, parseFields, read } from '../translating/fields.ts'
import {
  customerReport,
  disputeReport,
  paidReport,
  refundReport,
  subscriptionEnded,
  translateBy,
} from '../translating/reports.ts'
import type { IncomingEvent, Translate } from '../translation.ts'

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
const paymentSucceeded: Translate = ({ object: payment, createdAt }) => {
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
  (state: 'made' | 'failed'): Translate =>
  ({ object: refund, createdAt: at }) =>
    refundReport({
      references: [idOf(refund.payment_id)],
      at,
      customerId: customerOf(refund),
      refundId: idOf(refund.refund_id),
      amount: amountOf(refund.amount, refund.currency),
      state,
      reason: refund.reason,
    })

/** dispute.*: the type decides, because every delivery has the dispute's latest status. */
const disputeOf =
  (state: 'open' | 'won' | 'lost'): Translate =>
  ({ object: dispute, createdAt: at }) =>
    disputeReport({
      references: [idOf(dispute.payment_id)],
      at,
      customerId: customerOf(dispute),
      disputeId: idOf(dispute.dispute_id),
      amount: amountOf(dispute.amount, dispute.currency),
      state,
    })

/** subscription.active: the customer may be in a trial, and pay for the first time weeks later. */
const subscriptionActive: Translate = ({ object: subscription, createdAt: at }) =>
  customerReport({
    customerId: customerOf(subscription),
    attribution: attributionIn(numbersAsText(subscription.metadata)),
    at,
  })

const BY_TYPE: Record<string, Translate> = {
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
  'subscription.cancelled': subscriptionEnded,
  'subscription.expired': subscriptionEnded,
}

export const translate = translateBy(BY_TYPE)

export const EVENT_TYPES = Object.keys(BY_TYPE)
