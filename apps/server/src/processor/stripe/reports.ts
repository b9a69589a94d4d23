import { type PaymentReport, type ReportBody, SAME_PAYMENT } from '../../payments/payment-report.ts'
import type { Translation } from '../translation.ts'
import type { Amount } from './amounts.ts'

type ReportParts = {
  references: (string | null)[]
  at: Date
  attribution?: PaymentReport['attribution']
  says: ReportBody
  neverTaken?: Amount | null
  withinMs?: number
}

/** Stripe's timestamps have whole seconds, and a payment may follow a click within the same second. */
const REST_OF_SECOND_MS = 999

/** A report under every reference in the event; ignored if there is none. */
export const report = ({
  references,
  at,
  attribution = null,
  says,
  neverTaken,
  withinMs,
}: ReportParts): Translation => {
  const [first, ...others] = new Set(references.filter((reference) => reference !== null))
  if (!first) return { ignored: 'no_payment_named' }
  if (says.kind === SAME_PAYMENT.kind && others.length === 0) return { ignored: 'nothing_to_tie' }
  const released = neverTaken?.cents ? { neverTakenCents: neverTaken.cents } : {}
  return {
    report: { references: [first, ...others], at, attribution, says, ...released, ...(withinMs && { withinMs }) },
  }
}

type Paid = Omit<ReportParts, 'says'> & {
  gross: Amount | null
  /** Excluding tax, if known. */
  netCents: number | null
  source: 'invoice' | 'checkout' | 'payment'
  subscriptionId?: string | null
}

/** A payment of zero is not a sale: trials, full discounts, and missing or negative amounts. */
export const paidReport = ({ gross, netCents, source, subscriptionId = null, ...parts }: Paid): Translation => {
  if (!gross) return { ignored: 'amount_missing' }
  if (gross.cents === 0 || netCents === 0) return { ignored: 'nothing_paid' }
  const amount = { grossCents: gross.cents, netCents, currency: gross.currency }
  return report({ ...parts, withinMs: REST_OF_SECOND_MS, says: { kind: 'paid', ...amount, source, subscriptionId } })
}
