import { invoiceIdIn } from '../translating/attribution.ts'
import { type Fields, idOf, read, wholeNumber } from '../translating/fields.ts'
import { paidReport, REST_OF_SECOND_MS } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { amountOf, withoutTax } from './amounts.ts'
import { namedIn } from './attribution.ts'

/** payment_intent.succeeded: the only event for merchants without Checkout. It rarely includes tax. */
export const paymentIntentSucceeded: Translate = ({ object: intent, createdAt }) => {
  const gross = amountOf(intent.amount_received, intent.currency)
  const tax = amountOf(read(intent, 'amount_details', 'tax', 'total_tax_amount'), intent.currency)
  return paidReport({
    // Before 2025 the intent named its invoice; since then invoice_payment.paid links the two.
    references: [idOf(intent), idOf(intent.latest_charge), idOf(intent.invoice)],
    at: createdAt,
    attribution: namedIn(intent.metadata),
    ...invoiceIdIn(intent.metadata),
    gross,
    neverTaken: amountOf(neverTakenOf(intent), intent.currency),
    netCents: gross && withoutTax(gross, tax),
    withinMs: REST_OF_SECOND_MS,
    source: 'payment',
  })
}

/** A partial capture can be less than the authorization; a succeeded intent captures no more. */
const neverTakenOf = ({ amount, amount_received }: Fields) => {
  const [reserved, taken] = [wholeNumber(amount), wholeNumber(amount_received)]
  return reserved === null || taken === null ? null : reserved - taken
}
