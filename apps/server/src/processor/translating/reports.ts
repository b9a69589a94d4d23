import { described } from '@tributary/contract'
import type { SaleItems } from '../../money/rewards/rules.ts'
import { type PaymentReport, type ReportBody, type ReportedCode, SAME_PAYMENT } from '../../payments/payment-report.ts'
import type { NamedCustomer, Translate, Translation } from '../translation.ts'
import type { Amount } from './amounts.ts'

/** What a report says besides its kind. */
type Parts = {
  references: (string | null)[]
  at: Date
  attribution?: NamedCustomer | null
  invoiceId?: string
  customerId?: string | null
  clickReference?: string
  neverTaken?: Amount | null
  codes?: ReportedCode[]
  withinMs?: number
}

/** `withinMs` for processors whose timestamps have whole seconds: a payment may follow a click within the same second. */
export const REST_OF_SECOND_MS = 999

/** A report under every reference in the event; ignored if there is none. */
export const report = ({
  references,
  at,
  attribution = null,
  invoiceId,
  customerId,
  clickReference,
  says,
  neverTaken,
  codes = [],
  withinMs,
}: Parts & { says: ReportBody }): Translation => {
  const [first, ...others] = new Set(references.filter((reference) => reference !== null))
  if (!first) return { ignored: 'no_payment_named' }
  if (says.kind === SAME_PAYMENT.kind && others.length === 0) return { ignored: 'nothing_to_tie' }
  const named: PaymentReport['references'] = [first, ...others]
  const released = neverTaken?.cents ? { neverTakenCents: neverTaken.cents } : {}
  const stated = { ...(withinMs && { withinMs }), ...(invoiceId && { invoiceId }) }
  const payer = { ...(customerId && { customerId }), ...(clickReference && { clickReference }) }
  const coded = codes.length > 0 ? { codes } : {}
  return { report: { references: named, at, attribution, says, ...released, ...stated, ...payer, ...coded } }
}

export type Paid = Parts & {
  gross: Amount | null
  /** Excluding tax, if known. */
  netCents: number | null
  source: 'invoice' | 'checkout' | 'payment'
  subscriptionId?: string | null
  /** What was sold, if the event says so. */
  items?: SaleItems
}

/** A payment of zero is not a sale: trials and full discounts. It may name a customer, whom a code binds. */
export const paidReport = ({ gross, netCents, source, subscriptionId = null, items, ...parts }: Paid): Translation => {
  if (!gross) return { ignored: 'amount_missing' }
  if ((gross.cents === 0 || netCents === 0) && !parts.codes?.length) return customerReport(parts)
  const amount = { grossCents: gross.cents, netCents, currency: gross.currency }
  return report({ ...parts, says: { kind: 'paid', ...amount, source, subscriptionId, ...(items && { items }) } })
}

/** Waiting for the bank. No other event may have the tax. */
export const pendingReport = ({ gross, netCents, ...parts }: Parts & Pick<Paid, 'gross' | 'netCents'>) => {
  const due = gross && { grossCents: gross.cents, netCents, currency: gross.currency }
  return report({ ...parts, says: { kind: 'pending', ...(due && { due }) } })
}

/** A customer who paid nothing yet, such as for a trial. Without a referral there is nothing to remember. */
export const customerReport = ({
  customerId,
  clickReference,
  attribution = null,
  at,
}: Pick<Parts, 'customerId' | 'clickReference' | 'attribution' | 'at'>): Translation =>
  customerId && (attribution || clickReference)
    ? { customer: { customerId, attribution, at, ...(clickReference && { clickReference }) } }
    : { ignored: 'nothing_paid' }

type Refund = Parts & { refundId: string | null; amount: Amount | null; state: 'made' | 'failed'; reason: unknown }

/** One refund, of its own amount. */
export const refundReport = ({ refundId, amount, state, reason: given, ...parts }: Refund): Translation => {
  if (!refundId || !amount) return { ignored: 'amount_missing' }
  const reason = typeof given === 'string' ? described(given, 100) : null
  const refunded = { grossCents: amount.cents, currency: amount.currency }
  return report({ ...parts, says: { kind: 'refund', refundId, ...refunded, state, reason } })
}

/** Two references of one payment. */
export const samePaymentReport = (parts: Pick<Parts, 'references' | 'at' | 'neverTaken'>): Translation =>
  report({ ...parts, says: SAME_PAYMENT })

/** The total refunded so far. */
export const refundedInAllReport = ({ amount, ...parts }: Parts & { amount: Amount | null }): Translation =>
  amount
    ? report({ ...parts, says: { kind: 'refunded_in_all', grossCents: amount.cents, currency: amount.currency } })
    : { ignored: 'amount_missing' }

type Dispute = Parts & {
  disputeId: string | null
  series?: string
  amount: Amount | null
  state: 'open' | 'won' | 'lost'
}

/** Without an amount, the whole payment is disputed. */
export const disputeReport = ({ disputeId, series, amount, state, ...parts }: Dispute): Translation => {
  if (!disputeId) return { ignored: 'no_payment_named' }
  const disputed = amount ? { grossCents: amount.cents, currency: amount.currency } : { grossCents: null }
  return report({ ...parts, says: { kind: 'dispute', disputeId, ...(series && { series }), state, ...disputed } })
}

/** Translates by event type. All other types are stored and ignored. */
export const translateBy =
  (handlers: Record<string, Translate>): Translate =>
  (event) =>
    (Object.hasOwn(handlers, event.type) && handlers[event.type]?.(event)) || { ignored: 'other_event' }

/** The end of a subscription: past payments stay valid, and there are no further ones. */
export const subscriptionEnded: Translate = () => ({ ignored: 'subscription_ended' })
