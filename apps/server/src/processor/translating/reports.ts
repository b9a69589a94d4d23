import { type PaymentReport, type ReportBody, SAME_PAYMENT } from '../../payments/payment-report.ts'
import type { NamedCustomer, NamedPayer, Translation, UnassignedReport } from '../translation.ts'
import type { Amount } from './amounts.ts'

type ReportParts<ProgramId> = {
  references: (string | null)[]
  at: Date
  attribution?: NamedCustomer<ProgramId> | null
  invoiceId?: string
  customerId?: string | null
  clickReference?: string
  says: ReportBody
  neverTaken?: Amount | null
  withinMs?: number
}

/** A report under every reference in the event; ignored if there is none. */
export const report = <ProgramId extends number | null = never>({
  references,
  at,
  attribution = null,
  invoiceId,
  customerId,
  clickReference,
  says,
  neverTaken,
  withinMs,
}: ReportParts<ProgramId>): Translation<UnassignedReport<ProgramId>> => {
  const [first, ...others] = new Set(references.filter((reference) => reference !== null))
  if (!first) return { ignored: 'no_payment_named' }
  if (says.kind === SAME_PAYMENT.kind && others.length === 0) return { ignored: 'nothing_to_tie' }
  const named: PaymentReport['references'] = [first, ...others]
  const released = neverTaken?.cents ? { neverTakenCents: neverTaken.cents } : {}
  const stated = { ...(withinMs && { withinMs }), ...(invoiceId && { invoiceId }) }
  const payer = { ...(customerId && { customerId }), ...(clickReference && { clickReference }) }
  return { report: { references: named, at, attribution, says, ...released, ...stated, ...payer } }
}

type Paid<ProgramId> = Omit<ReportParts<ProgramId>, 'says'> & {
  gross: Amount | null
  /** Excluding tax, if known. */
  netCents: number | null
  source: 'invoice' | 'checkout' | 'payment'
  subscriptionId?: string | null
}

/** A payment of zero is not a sale: trials and full discounts. It may name a customer. */
export const paidReport = <ProgramId extends number | null = never>({
  gross,
  netCents,
  source,
  subscriptionId = null,
  ...parts
}: Paid<ProgramId>): Translation<UnassignedReport<ProgramId>> => {
  if (!gross) return { ignored: 'amount_missing' }
  if (gross.cents === 0 || netCents === 0) return customerReport(parts)
  const amount = { grossCents: gross.cents, netCents, currency: gross.currency }
  return report({ ...parts, says: { kind: 'paid', ...amount, source, subscriptionId } })
}

/** A customer who paid nothing yet, such as for a trial. */
export const customerReport = ({
  customerId,
  clickReference,
  attribution = null,
  at,
}: Pick<ReportParts<number | null>, 'customerId' | 'clickReference' | 'attribution' | 'at'>):
  | { customer: NamedPayer }
  | { ignored: 'nothing_paid' } =>
  customerId
    ? { customer: { customerId, attribution, at, ...(clickReference && { clickReference }) } }
    : { ignored: 'nothing_paid' }
