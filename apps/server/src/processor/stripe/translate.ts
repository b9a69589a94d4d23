import { fieldsOf, idOf, parseFields, read, timeOf } from '../translating/fields.ts'
import { subscriptionEnded, translateBy } from '../translating/reports.ts'
import type { IncomingEvent, Translate } from '../translation.ts'
import { accountDeauthorized, accountUpdated } from './account.ts'
import { asyncPaymentFailed, asyncPaymentSucceeded, checkoutSessionCompleted } from './checkout-session.ts'
import { discountCreated, promotionCodeChanged } from './codes.ts'
import { chargeRefunded, chargeSucceeded, paymentIntentSucceeded } from './intent-and-charge.ts'
import { invoicePaid, invoicePaymentPaid } from './invoice.ts'
import { disputeChanged, refundChanged } from './refund-and-dispute.ts'

/** Parses an event's envelope; null if it has no ID or type, so it cannot be stored. */
export const readEvent = (text: string, receivedAt: Date): IncomingEvent | null => {
  const event = parseFields(text)
  const [id, type] = [idOf(event.id), idOf(event.type)]
  if (!id || !type) return null
  return {
    processor: 'stripe',
    id,
    type,
    createdAt: timeOf(event.created) ?? receivedAt,
    receivedAt,
    // Anything not marked live is a test.
    livemode: event.livemode === true,
    accountId: idOf(event.account),
    apiVersion: idOf(event.api_version),
    object: fieldsOf(read(event, 'data', 'object')),
  }
}

const BY_TYPE: Record<string, Translate> = {
  'checkout.session.completed': checkoutSessionCompleted,
  'checkout.session.async_payment_succeeded': asyncPaymentSucceeded,
  'checkout.session.async_payment_failed': asyncPaymentFailed,
  'invoice.paid': invoicePaid,
  // Legacy name of the same event.
  'invoice.payment_succeeded': invoicePaid,
  'invoice_payment.paid': invoicePaymentPaid,
  'payment_intent.succeeded': paymentIntentSucceeded,
  'charge.succeeded': chargeSucceeded,
  'charge.captured': chargeSucceeded,
  'charge.refunded': chargeRefunded,
  'refund.created': refundChanged,
  'refund.updated': refundChanged,
  'refund.failed': refundChanged,
  'charge.refund.updated': refundChanged,
  'charge.dispute.created': disputeChanged,
  'charge.dispute.updated': disputeChanged,
  'charge.dispute.funds_withdrawn': disputeChanged,
  'charge.dispute.funds_reinstated': disputeChanged,
  'charge.dispute.closed': disputeChanged,
  'customer.subscription.deleted': subscriptionEnded,
  'promotion_code.created': promotionCodeChanged,
  'promotion_code.updated': promotionCodeChanged,
  'customer.discount.created': discountCreated,
  'customer.discount.updated': discountCreated,
  'account.updated': accountUpdated,
  'account.application.deauthorized': accountDeauthorized,
}

/** Translates a Stripe event into our terms. Pure: the same event always gives the same result. */
export const translate = translateBy(BY_TYPE)

/** The event types a merchant subscribes an endpoint to. */
export const EVENT_TYPES = Object.keys(BY_TYPE)
