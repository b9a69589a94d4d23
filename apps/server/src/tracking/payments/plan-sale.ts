import { isErasedKey } from '../../erased-key.ts'
import type { Attribution, PaymentState } from '../../payments/fold-reports.ts'
import type { Program } from '../../programs/programs.ts'
import type { Sale } from '../../sales/find-sales.ts'
import type { CodeOnEvent } from '../codes/stated-codes.ts'
import type { ReportedSale } from '../sales/create-sales.ts'

/** A successful payment that names a customer. */
export type CreditablePayment = {
  program: Program
  paid: NonNullable<PaymentState['paid']>
  attribution: Attribution
  /** The promotion codes that it was made with. */
  codes: CodeOnEvent[]
}

/** A sale found by one of the payment's references, and what decides whether it is kept. */
export type Candidate = {
  sale: Sale
  hasCommission: boolean
  /** A payout includes its commission. */
  isInPayout: boolean
  /** The reports name a different customer than the sale was recorded for. */
  isForAnotherCustomer: boolean
  /** Its time was corrected, and at the corrected time it would be credited, verified or paid differently. */
  isDecidedDifferently: boolean
}

/** `keep`: the existing sale to keep. `make`: `invoice_id` of a new sale to create instead. `merge`: sales to merge into it. */
export type SalePlan = { keep: Candidate | null; make: string | null; merge: Candidate[] }

/**
 * Chooses the one sale of a payment, independent of the order of reports. Keeps the existing sale, unless the reports name a
 * different program, customer or time: then a new sale replaces it. A sale whose commission is in a payout is always kept.
 */
export const planSale = (candidates: Candidate[], payment: CreditablePayment | null): SalePlan => {
  const ranked = candidates.toSorted(byRank(payment))
  const [best, ...others] = ranked
  if (!payment) return { keep: best ?? null, make: null, merge: others }
  if (!best || isInOtherProgram(best, payment)) return { keep: null, make: payment.paid.invoiceId, merge: ranked }
  const isWrong = best.isForAnotherCustomer || best.isDecidedDifferently
  return isWrong && !best.isInPayout
    ? { keep: null, make: best.sale.invoiceId, merge: ranked }
    : { keep: best, make: null, merge: others }
}

/** Reports of one payment may name two programs of a workspace. A sale in another currency is not replaced. */
const isInOtherProgram = ({ sale, isInPayout }: Candidate, { program, paid }: CreditablePayment) =>
  sale.programId !== program.id && sale.currency === paid.currency && !isInPayout

const byRank = (payment: CreditablePayment | null) => (a: Candidate, b: Candidate) =>
  rankOf(b, payment) - rankOf(a, payment) || a.sale.soldAt.getTime() - b.sale.soldAt.getTime() || a.sale.id - b.sale.id

/** Sales in a payout rank first, then those with the payment's program and customer, then those with a commission or credit. */
const rankOf = (
  { sale, isInPayout, hasCommission, isForAnotherCustomer }: Candidate,
  payment: CreditablePayment | null,
) => {
  if (isInPayout) return 12
  const isNamed = sale.programId === payment?.program.id
  const credit = hasCommission ? 2 : sale.creditSource === null ? 0 : 1
  return (isNamed ? 6 : 0) + (isNamed && !isForAnotherCustomer ? 3 : 0) + credit
}

type NamedPayment = Pick<CreditablePayment, 'paid' | 'attribution'>

/** Whether the payment's customer key decides whose sale it is: the sale was credited by click, without a key. */
export const isDecidedByKey = (sale: Sale, { attribution }: NamedPayment) =>
  sale.clickId !== null && sale.customerKey === null && attribution.customerKey !== null

/**
 * Whether a sale was recorded for a different customer than the reports name. Compares the keys and clicks as sent, so a lead
 * that settles later does not take the sale away from its click. `boundClickId` is the click of the named customer, if any.
 */
export const isForAnotherCustomer = (sale: Sale, payment: NamedPayment, boundClickId: string | null): boolean => {
  const { paid, attribution } = payment
  const { customerKey, clickId } = attribution
  if (sale.programId !== attribution.programId || sale.currency !== paid.currency) return false
  if (isErasedKey(sale.customerKey)) return false
  if (customerKey !== null && sale.customerKey !== null) return customerKey !== sale.customerKey
  if (sale.clickId === null || sale.customerKey !== null) return false
  return isDecidedByKey(sale, payment)
    ? boundClickId !== null && boundClickId !== sale.clickId
    : clickId !== null && clickId !== sale.clickId
}

/** Builds the sale of a payment for the customer that its reports name. */
export const toNewSale = (
  { program, paid, attribution, codes }: CreditablePayment,
  invoiceId: string,
  at: Date,
): ReportedSale => ({
  program,
  invoiceId,
  customerKey: attribution.customerKey,
  clickId: attribution.clickId,
  amountCents: paid.netCents,
  items: paid.items,
  currency: paid.currency,
  subscriptionId: paid.subscriptionId,
  eventName: null,
  metadata: null,
  reportedBy: 'processor',
  soldAt: paid.soldAt,
  at,
  boundAt: attribution.boundAt,
  codes,
})

/** The merchant's own items win, because their rules name them. Otherwise a later report can add items to a sale. */
export const itemsFor = ({ reportedBy, items }: Sale, paid: CreditablePayment['paid']) =>
  reportedBy === 'merchant' && items ? items : (paid.items ?? items)

export const hasItemsOf = (sale: Sale, paid: CreditablePayment['paid']) =>
  Bun.deepEquals(sale.items, itemsFor(sale, paid))
