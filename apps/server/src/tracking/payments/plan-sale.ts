import { isErasedKey } from '../../erased-key.ts'
import type { PaymentState } from '../../payments/fold-reports.ts'
import type { Program } from '../../programs/programs.ts'
import type { Sale } from '../../sales/find-sales.ts'

/** A payment that was made and says whom to credit. */
export type CreditablePayment = {
  program: Program
  paid: NonNullable<PaymentState['paid']>
  attribution: NonNullable<PaymentState['attribution']>
}

/** A live sale under one of the payment's names, and what decides whether it stays the sale of the payment. */
export type Candidate = {
  sale: Sale
  hasCommission: boolean
  /** A payout contains its commission. */
  isPaid: boolean
  /** The reports together name another customer than the one it was recorded for. */
  isOfAnotherCustomer: boolean
  /** Its moment was corrected, and at the right moment it would be credited, trusted or paid differently. */
  isDecidedDifferently: boolean
}

/** `keep`: the sale that stays. `make`: the invoice_id of a new sale instead. `merge`: sales that become part of it. */
export type SalePlan = { keep: Candidate | null; make: string | null; merge: Candidate[] }

/**
 * A payment has one sale. Which one is a matter of everything that was reported about the payment, never of the order: usually the sale
 * that exists, and a new one where the reports name another program, customer or moment than it was recorded for. A sale whose
 * commission was paid stays.
 */
export const planSale = (candidates: Candidate[], payment: CreditablePayment | null): SalePlan => {
  const ranked = candidates.toSorted(byRank(payment))
  const [best, ...others] = ranked
  if (!payment) return { keep: best ?? null, make: null, merge: others }
  if (!best || isInOtherPrograms(ranked, payment)) return { keep: null, make: payment.paid.name, merge: ranked }
  const isWrong = best.isOfAnotherCustomer || best.isDecidedDifferently
  return isWrong && !best.isPaid
    ? { keep: null, make: best.sale.invoiceId, merge: ranked }
    : { keep: best, make: null, merge: others }
}

/** Reports of one payment may name two programs of a workspace. Money in another currency is another sale's, and stays where it is. */
const isInOtherPrograms = (candidates: Candidate[], { program, paid }: CreditablePayment) =>
  candidates.every(({ sale, isPaid }) => sale.programId !== program.id && sale.currency === paid.currency && !isPaid)

const byRank = (payment: CreditablePayment | null) => (a: Candidate, b: Candidate) =>
  rankOf(b, payment) - rankOf(a, payment) || a.sale.soldAt.getTime() - b.sale.soldAt.getTime() || a.sale.id - b.sale.id

/** What was paid, then the program and the customer that the payment names, then the one that earned or was credited. */
const rankOf = ({ sale, isPaid, hasCommission, isOfAnotherCustomer }: Candidate, payment: CreditablePayment | null) => {
  if (isPaid) return 12
  const isNamed = sale.programId === payment?.program.id
  const credit = hasCommission ? 2 : sale.clickId === null ? 0 : 1
  return (isNamed ? 6 : 0) + (isNamed && !isOfAnotherCustomer ? 3 : 0) + credit
}

type NamedPayment = Pick<CreditablePayment, 'paid' | 'attribution'>

/** Whether only the customer of this key decides if a sale is somebody else's: it was credited by a click, without a key. */
export const isDecidedByKey = (sale: Sale, { attribution }: NamedPayment) =>
  sale.clickId !== null && sale.customerKey === null && attribution.customerKey !== null

/**
 * Whether a sale was recorded for another customer than the reports name. Names are compared, not what they lead to: a customer who
 * was bound meanwhile takes no sale from the click that had it. `boundTo`: the click that the named customer is bound to, if any.
 */
export const isOfAnotherCustomer = (sale: Sale, payment: NamedPayment, boundTo: string | null): boolean => {
  const { paid, attribution } = payment
  const { customerKey, clickId } = attribution
  if (sale.programId !== attribution.programId || sale.currency !== paid.currency) return false
  if (isErasedKey(sale.customerKey)) return false
  if (customerKey !== null && sale.customerKey !== null) return customerKey !== sale.customerKey
  if (sale.clickId === null || sale.customerKey !== null) return false
  return isDecidedByKey(sale, payment)
    ? boundTo !== null && boundTo !== sale.clickId
    : clickId !== null && clickId !== sale.clickId
}
