import { customerReport, paidReport, pendingReport, report } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { readPayment } from './read-payment.ts'

/**
 * Not under its subscription, which would merge all renewals into one payment: a subscription's first payment is joined through its
 * invoice. Payment Links, buy buttons and pricing tables have no metadata for each buyer, but a field of the session.
 */
const sessionOf = readPayment({
  source: 'checkout',
  references: ['id', 'payment_intent', 'invoice'],
  metadata: ['metadata'],
  gross: 'amount_total',
  tax: 'total_details.amount_tax',
  subscription: ['subscription'],
  customer: 'customer',
  clickReference: 'client_reference_id',
})

/** checkout.session.completed: paid, pending (a bank debit may still fail), or nothing to pay. */
export const checkoutSessionCompleted: Translate = (event) => {
  const { mode, payment_status } = event.object
  if (mode === 'setup') return { ignored: 'checkout_for_set_up' }
  const session = sessionOf(event)
  if (payment_status === 'no_payment_required') return customerReport(session)
  // With a later capture no further session event arrives, and only this one has the tax.
  return payment_status === 'paid' ? paidReport(session) : pendingReport(session)
}

/** checkout.session.async_payment_succeeded: the bank debit succeeded. */
export const asyncPaymentSucceeded: Translate = (event) => paidReport(sessionOf(event))

/** checkout.session.async_payment_failed: the bank debit failed. */
export const asyncPaymentFailed: Translate = (event) => report({ ...sessionOf(event), says: { kind: 'failed' } })
