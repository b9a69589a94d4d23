import type { Tx } from '../../database/transaction.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { findCommissionOfSale, hasMetPayout } from '../../money/commissions/commissions.ts'
import { refundedCentsOf } from '../../money/commissions/refunds.ts'
import { carryRejection } from '../../money/reviews/void-commission.ts'
import type { Sale } from '../../sales/find-sales.ts'
import { voidSale } from '../../sales/sales.ts'
import { correctCommission } from '../sales/correct-commission.ts'
import { keepReviewDecision } from '../sales/keep-money-decisions.ts'
import { reverseFor } from '../sales/reverse-for.ts'
import { settleFirstSale } from '../sales/settle-first-sale.ts'
import type { Creditable, Telling } from './creditable.ts'
import { isOfAnother } from './is-of-another.ts'

/**
 * Two sales can turn out to be one payment: the processor may tie an invoice to its payment only after both were reported.
 * One of them stays and is brought to what the payment came to; the others are voided, as if they had never been.
 */
export const mergeSales = async (
  tx: Tx,
  dependencies: Telling,
  { sales, creditable }: { sales: Sale[]; creditable: Creditable | null },
): Promise<Sale | null> => {
  const ranked = []
  for (const sale of sales) {
    const isPaid = await wasPaid(tx, sale)
    ranked.push({ ...sale, isPaid, rank: isPaid ? PAID_RANK : await rankOf(tx, sale, creditable) })
  }
  const [sale, ...others] = ranked.toSorted(
    (a, b) => b.rank - a.rank || a.soldAt.getTime() - b.soldAt.getTime() || a.id - b.id,
  )
  if (!sale) return null
  await mergeInto(tx, dependencies, { sale, others })
  return sale
}

/** What people have been paid is not touched if it can be helped. */
const PAID_RANK = 12

/** Then comes the program and the customer whom the payment names, and of two sales the one that earned is the first of the customer. */
const rankOf = async (tx: Tx, sale: Sale, creditable: Creditable | null) => {
  const { programId, id: saleId, clickId } = sale
  const isNamed = programId === creditable?.program.id
  const isTheirs = isNamed && !(await isOfAnother(tx, sale, creditable))
  const rank = (isNamed ? 6 : 0) + (isTheirs ? 3 : 0)
  if (await findCommissionOfSale(tx, { programId, saleId })) return rank + 2
  return rank + (clickId === null ? 0 : 1)
}

/** A sale that is to be voided, and whether a payout has what it earned, as far as is known. */
type Other = Sale & { isPaid: boolean }
type Merging = { sale: Sale; others: Other[] }

/** The others are voided, as if they had never been. */
export const mergeInto = async (tx: Tx, { clock, hashKey }: Telling, { sale, others }: Merging) => {
  const { programId, id: saleId } = sale
  if (others.length === 0) return
  const at = clock()
  const refunded = await refundedCentsOf(tx, { programId, saleId })
  for (const other of others) {
    await voidInto(tx, hashKey, { sale: other, into: sale, at })
    if (other.programId === programId) await keepRejected(tx, { programId, fromSaleId: other.id, toSaleId: saleId, at })
  }
  // What the merchant refunded of one of them was refunded of all.
  if ((await refundedCentsOf(tx, { programId, saleId })) > refunded)
    await reverseFor(tx, { programId, sale, cause: 'processor', at })
}

type Carrying = { programId: number; fromSaleId: number; toSaleId: number; at: Date }

/** What a person voided or rejected under one name stays at zero under the other. */
const keepRejected = async (tx: Tx, { programId, at, ...sales }: Carrying) => {
  const carried = await carryRejection(tx, { programId, at, ...sales })
  if (carried) await keepReviewDecision(tx, { programId, ...carried, at })
}

/** Whether a payout has what it earned. */
export const wasPaid = async (tx: Tx, { programId, id: saleId }: Sale) => {
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  return commission ? hasMetPayout(tx, { programId, commissionId: commission.id }) : false
}

type Voiding = { sale: Other; into: Sale; at: Date }

const voidInto = async (tx: Tx, hashKey: string, { sale, into, at }: Voiding) => {
  const { programId, id: saleId, invoiceId, amountCents, clickId } = sale
  const commission = (await findCommissionOfSale(tx, { programId, saleId })) ?? null
  const saleCents = { before: amountCents, after: amountCents }
  await voidSale(tx, {
    ...{ programId, saleId, at },
    mergedInto: into.programId === programId ? into.id : null,
    invoiceId: keepsName(sale, into) ? invoiceId : nameOfVoided(sale),
  })
  await correctCommission(tx, { programId, saleId, cause: 'merged', saleCents, commission, isUnpaid: !sale.isPaid, at })
  await markDays(tx, [sale])
  if (clickId !== null) await settleFirstSale(tx, hashKey, { programId, clickId, at })
}

/** A name that the processor gave goes to the sale that stays; one that the merchant gave is theirs, in that program. */
const keepsName = ({ reportedBy, programId, invoiceId }: Sale, into: Sale) =>
  reportedBy === 'merchant' && into.programId === programId && into.invoiceId !== invoiceId

export const nameOfVoided = ({ id, invoiceId }: Sale) => `${invoiceId} (merged, sale ${id})`
