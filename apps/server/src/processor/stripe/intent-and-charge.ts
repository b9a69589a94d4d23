import { type Fields, wholeNumber } from '../translating/fields.ts'
import { paidReport, refundedInAllReport, samePaymentReport } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { amountOf, readPayment } from './read-payment.ts'

/**
 * Their customer is not read: it would credit a payment of an invoice once more, until another event ties the two. Before 2025 they named
 * their invoice; since then invoice_payment.paid does.
 */
const COMMON = { source: 'payment' as const, metadata: ['metadata'] }

const intentOf = readPayment({
  ...COMMON,
  references: ['id', 'latest_charge', 'invoice'],
  gross: 'amount_received',
  tax: 'amount_details.tax.total_tax_amount',
})

const chargeOf = readPayment({ ...COMMON, references: ['id', 'payment_intent', 'invoice'], gross: 'amount_captured' })

/** payment_intent.succeeded: the only event for merchants without Checkout. It rarely includes tax. */
export const paymentIntentSucceeded: Translate = (event) => {
  const { amount, amount_received, currency } = event.object
  // A partial capture can be less than the authorization; a succeeded intent captures no more.
  return paidReport({ ...intentOf(event), neverTaken: amountOf(restOf(amount, amount_received), currency) })
}

/** charge.succeeded, charge.captured: links the charge to its intent. A legacy charge has none and is the payment itself. */
export const chargeSucceeded: Translate = (event) => {
  const charge = { ...chargeOf(event), neverTaken: amountOf(releasedOf(event.object), event.object.currency) }
  const { references, at, neverTaken } = charge
  if (references.filter(Boolean).length > 1) return samePaymentReport({ references, at, neverTaken })
  return event.object.captured === true ? paidReport(charge) : { ignored: 'nothing_paid' }
}

/** charge.refunded: the total refunded so far. */
export const chargeRefunded: Translate = (event) => {
  const { amount_refunded, currency } = event.object
  const released = releasedOf(event.object)
  const { references, at } = chargeOf(event)
  const amount = amountOf(restOf(amount_refunded, released), currency)
  return refundedInAllReport({ references, at, amount, neverTaken: amountOf(released, currency) })
}

/** Stripe counts an authorized amount that was never captured as refunded. It was never paid, so it is not a refund. */
const releasedOf = ({ amount, amount_captured, amount_refunded }: Fields) =>
  Math.max(0, Math.min(wholeNumber(amount_refunded) ?? 0, restOf(amount, amount_captured) ?? 0))

const restOf = (all: unknown, part: unknown) => {
  const [whole, taken] = [wholeNumber(all), wholeNumber(part)]
  return whole === null || taken === null ? null : whole - taken
}
