import { invoiceIdIn } from '../translating/attribution.ts'
import { type Fields, idOf, read } from '../translating/fields.ts'
import { paidReport, pendingReport, REST_OF_SECOND_MS, report } from '../translating/reports.ts'
import type { IncomingEvent, Translate } from '../translation.ts'
import { amountOf, withoutTax } from './amounts.ts'
import { namedIn } from './attribution.ts'

/**
 * References of a session's payment. Not the subscription, which would merge all renewals into one payment. A subscription's first
 * payment is joined through its invoice, which the session names.
 */
const referencesOf = (session: Fields) => [idOf(session), idOf(session.payment_intent), idOf(session.invoice)]

const commonParts = ({ object: session, createdAt }: IncomingEvent) => ({
  references: referencesOf(session),
  at: createdAt,
  attribution: namedIn(session.metadata),
  ...invoiceIdIn(session.metadata),
})

/** checkout.session.completed: paid, pending (a bank debit may still fail), or nothing to pay. */
export const checkoutSessionCompleted: Translate = (event) => {
  const session = event.object
  if (session.mode === 'setup') return { ignored: 'checkout_for_set_up' }
  if (session.payment_status === 'no_payment_required') return { ignored: 'nothing_paid' }
  if (session.payment_status === 'paid') return paid(event)
  // With a later capture no further session event arrives, and only this one has the tax.
  return pendingReport({ ...commonParts(event), ...amountsOf(session) })
}

/** checkout.session.async_payment_succeeded: the bank debit succeeded. */
export const asyncPaymentSucceeded: Translate = (event) => paid(event)

/** checkout.session.async_payment_failed: the bank debit failed. */
export const asyncPaymentFailed: Translate = (event) => report({ ...commonParts(event), says: { kind: 'failed' } })

const amountsOf = (session: Fields) => {
  const gross = amountOf(session.amount_total, session.currency)
  const tax = amountOf(read(session, 'total_details', 'amount_tax'), session.currency)
  return { gross, netCents: gross && withoutTax(gross, tax) }
}

const paid: Translate = (event) =>
  paidReport({
    ...commonParts(event),
    ...amountsOf(event.object),
    withinMs: REST_OF_SECOND_MS,
    source: 'checkout',
    subscriptionId: idOf(event.object.subscription),
  })
