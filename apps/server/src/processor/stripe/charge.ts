import { SAME_PAYMENT } from '../../payments/payment-report.ts'
import { invoiceIdIn } from '../translating/attribution.ts'
import { type Fields, idOf, wholeNumber } from '../translating/fields.ts'
import { paidReport, report } from '../translating/reports.ts'
import type { Translate } from '../translation.ts'
import { amountOf } from './amounts.ts'
import { namedIn } from './attribution.ts'
import { REST_OF_SECOND_MS } from './times.ts'

const referencesOf = (charge: Fields) => [idOf(charge), idOf(charge.payment_intent), idOf(charge.invoice)]

/** charge.succeeded, charge.captured: links the charge to its intent. A legacy charge has none and is the payment itself. */
export const chargeSucceeded: Translate = ({ object: charge, createdAt }) => {
  const references = referencesOf(charge)
  const neverTaken = amountOf(neverTakenOf(charge), charge.currency)
  if (references.filter(Boolean).length > 1)
    return report({ references, at: createdAt, says: SAME_PAYMENT, neverTaken })
  if (charge.captured !== true) return { ignored: 'nothing_paid' }
  const gross = amountOf(charge.amount_captured, charge.currency)
  const named = { attribution: namedIn(charge.metadata), ...invoiceIdIn(charge.metadata) }
  return paidReport({
    references,
    at: createdAt,
    ...named,
    gross,
    netCents: null,
    source: 'payment',
    neverTaken,
    withinMs: REST_OF_SECOND_MS,
  })
}

/** charge.refunded: the total refunded so far. */
export const chargeRefunded: Translate = ({ object: charge, createdAt }) => {
  const neverTaken = neverTakenOf(charge)
  const all = wholeNumber(charge.amount_refunded)
  const refunded = amountOf(all === null ? null : all - neverTaken, charge.currency)
  if (!refunded) return { ignored: 'amount_missing' }
  const says = { kind: 'refunded_in_all', grossCents: refunded.cents, currency: refunded.currency } as const
  const released = amountOf(neverTaken, charge.currency)
  return report({ references: referencesOf(charge), at: createdAt, says, neverTaken: released })
}

/** Stripe counts an authorized amount that was never captured as refunded. It was never paid, so it is not a refund. */
const neverTakenOf = ({ amount, amount_captured, amount_refunded }: Fields) => {
  const [reserved, captured, refunded] = [amount, amount_captured, amount_refunded].map(wholeNumber)
  if (reserved == null || captured == null || refunded == null) return 0
  return Math.max(0, Math.min(refunded, reserved - captured))
}
