import type { PaymentReport, PaymentWords } from '../../payments/payment-report.ts'
import type { Translation } from '../translation.ts'
import type { Amount } from './amounts.ts'

type Said = {
  references: (string | null)[]
  at: Date
  attribution?: PaymentReport['attribution']
  says: PaymentWords
  neverTaken?: Amount | null
  withinMs?: number
}

/** Stripe's moments are whole seconds. It matters for a payment, which may have been made after a click of the same second. */
const REST_OF_SECOND_MS = 999

/** A report under every identifier that the event states; ignored where it states none. */
export const report = ({ references, at, attribution = null, says, neverTaken, withinMs }: Said): Translation => {
  const [first, ...others] = new Set(references.filter((reference) => reference !== null))
  if (!first) return { ignored: 'no_payment_named' }
  if (says.kind === 'tie' && others.length === 0) return { ignored: 'nothing_to_tie' }
  const released = neverTaken?.cents ? { neverTakenCents: neverTaken.cents } : {}
  return {
    report: { references: [first, ...others], at, attribution, says, ...released, ...(withinMs && { withinMs }) },
  }
}

type Paid = Omit<Said, 'says'> & {
  gross: Amount | null
  /** Without tax, where the event knows it. */
  netCents: number | null
  source: 'invoice' | 'checkout' | 'payment'
  subscriptionId?: string | null
}

/** A payment of nothing is no sale: trials, vouchers for everything, and amounts that are missing or below zero. */
export const paidReport = ({ gross, netCents, source, subscriptionId = null, ...said }: Paid): Translation => {
  if (!gross) return { ignored: 'amount_missing' }
  if (gross.cents === 0 || netCents === 0) return { ignored: 'nothing_paid' }
  const amount = { grossCents: gross.cents, netCents, currency: gross.currency }
  return report({ ...said, withinMs: REST_OF_SECOND_MS, says: { kind: 'paid', ...amount, source, subscriptionId } })
}
