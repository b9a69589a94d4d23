import { SAME_PAYMENT } from '../../payments/payment-report.ts'
import { invoiceIdIn } from '../translating/attribution.ts'
import { type Fields, idOf, wholeNumber } from '../translating/fields.ts'
import { paidReport, REST_OF_SECOND_MS, refundedInAllReport, report } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { amountOf } from './amounts.ts'
import { namedIn } from './attribution.ts'

const referencesOf = (charge: Fields) => [idOf(charge), idOf(charge.payment_intent), idOf(charge.invoice)]

/** charge.succeeded, charge.captured: links the charge to its intent. A legacy charge has none and is the payment itself. */
export const chargeSucceeded: Translate = ({ object: charge, createdAt }) => {
  const references = referencesOf(charge)
  const neverTaken = amountOf(neverTakenOf(charge), charge.currency)
  if (references.filter(Boolean).length > 1)
    return report({ references, at: createdAt, says: SAME_PAYMENT, neverTaken })
  if (charge.captured !== true) return { ignored: 'nothing_paid' }
  return paidReport({
    references,
    at: createdAt,
    attribution: namedIn(charge.metadata),
    ...invoiceIdIn(charge.metadata),
    gross: amountOf(charge.amount_captured, charge.currency),
    netCents: null,
    source: 'payment',
    neverTaken,
    withinMs: REST_OF_SECOND_MS,
  })
}

/** charge.refunded: the total refunded so far. */
export const chargeRefunded: Translate = ({ object: charge, createdAt: at }) => {
  const released = neverTakenOf(charge)
  const all = wholeNumber(charge.amount_refunded)
  const amount = amountOf(all === null ? null : all - released, charge.currency)
  const neverTaken = amountOf(released, charge.currency)
  return refundedInAllReport({ references: referencesOf(charge), at, amount, neverTaken })
}

/** Stripe counts an authorized amount that was never captured as refunded. It was never paid, so it is not a refund. */
const neverTakenOf = ({ amount, amount_captured, amount_refunded }: Fields) => {
  const [reserved, captured, refunded] = [amount, amount_captured, amount_refunded].map(wholeNumber)
  if (reserved == null || captured == null || refunded == null) return 0
  return Math.max(0, Math.min(refunded, reserved - captured))
}
