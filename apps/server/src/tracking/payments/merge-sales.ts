import type { Tx } from '../../database/transaction.ts'
import { markDays } from '../../events/roll-up/changed-days.ts'
import { refundedCentsOf } from '../../money/commissions/refunds.ts'
import { carryRejection } from '../../money/reviews/void-commission.ts'
import { lockSales, type Sale } from '../../sales/find-sales.ts'
import { changeSale, voidSale } from '../../sales/sales.ts'
import type { Recorder } from '../recorder.ts'
import { correctCommission, keepReviewDecision, reverseCommission } from '../sales/commission-changes.ts'
import { createSales, type ReportedSale } from '../sales/create-sales.ts'
import { settleFirstSale } from '../sales/settle-first-sale.ts'
import type { CreditablePayment, SalePlan } from './plan-sale.ts'

/** Makes the sale that a plan asks for and merges the others into it. Answers the sale of the payment; null where it has none. */
export const carryOut = async (
  tx: Tx,
  recorder: Recorder,
  { keep, make, merge }: SalePlan,
  payment: CreditablePayment | null,
): Promise<Sale | null> => {
  const sales = merge.map(({ sale }) => sale)
  const sale =
    make !== null && payment ? await replaceSales(tx, recorder, { sales, payment, invoiceId: make }) : keep?.sale
  if (sale) await mergeInto(tx, recorder, { sale, others: sales })
  return sale ?? null
}

type Replacement = { sales: Sale[]; payment: CreditablePayment; invoiceId: string }

/** Records the sale again from everything that is known now. A sale that has the name gives it up first. */
const replaceSales = async (tx: Tx, { clock, hashKey }: Recorder, { sales, payment, invoiceId }: Replacement) => {
  const { id: programId } = payment.program
  for (const old of sales)
    if (old.programId === programId && old.invoiceId === invoiceId)
      await changeSale(tx, { programId, saleId: old.id, invoiceId: nameOfMerged(old) })
  const [made] = await createSales(tx, hashKey, [saleOf(payment, invoiceId, clock())])
  const [sale] = await lockSales(tx, { programIds: [programId], invoiceIds: [invoiceId] })
  if (!made || !sale) throw new Error('a sale has a name that this payment holds')
  return sale
}

/** The sale of a payment, for the customer whom all its reports together name. */
export const saleOf = (
  { program, paid, attribution }: CreditablePayment,
  invoiceId: string,
  at: Date,
): ReportedSale => ({
  call: {
    ...{ program, invoiceId, customerKey: attribution.customerKey, clickId: attribution.clickId },
    ...{ amountCents: paid.netCents, currency: paid.currency, subscriptionId: paid.subscriptionId },
    ...{ eventName: null, metadata: null },
  },
  reportedBy: 'processor',
  soldAt: paid.soldAt,
  at,
})

/** The others are voided, as if they had never been recorded. */
const mergeInto = async (tx: Tx, { clock, hashKey }: Recorder, { sale, others }: { sale: Sale; others: Sale[] }) => {
  if (others.length === 0) return
  const { programId, id: saleId } = sale
  const at = clock()
  const refunded = await refundedCentsOf(tx, { programId, saleId })
  for (const other of others) {
    await voidInto(tx, hashKey, { sale: other, into: sale, at })
    if (other.programId === programId) await keepRejected(tx, { programId, fromSaleId: other.id, toSaleId: saleId, at })
  }
  // What the merchant refunded of one of them is refunded of the payment.
  if ((await refundedCentsOf(tx, { programId, saleId })) > refunded)
    await reverseCommission(tx, { programId, sale, cause: 'processor', at })
}

type Rejected = { programId: number; fromSaleId: number; toSaleId: number; at: Date }

/** What a person voided or rejected under one name stays at zero under the other. */
const keepRejected = async (tx: Tx, { programId, at, ...sales }: Rejected) => {
  const carried = await carryRejection(tx, { programId, at, ...sales })
  if (carried) await keepReviewDecision(tx, { programId, ...carried, at })
}

const voidInto = async (tx: Tx, hashKey: string, { sale, into, at }: { sale: Sale; into: Sale; at: Date }) => {
  const { programId, id: saleId, invoiceId, amountCents, clickId } = sale
  await voidSale(tx, {
    ...{ programId, saleId, at },
    mergedInto: into.programId === programId ? into.id : null,
    invoiceId: keepsName(sale, into) ? invoiceId : nameOfMerged(sale),
  })
  await correctCommission(tx, {
    programId,
    saleId,
    cause: 'merged',
    saleCents: { before: amountCents, after: amountCents },
    at,
  })
  await markDays(tx, [sale])
  if (clickId !== null) await settleFirstSale(tx, hashKey, { programId, clickId, at })
}

/** A name that the processor gave goes to the sale that stays; one that the merchant gave stays with the sale that they reported. */
const keepsName = ({ reportedBy, programId, invoiceId }: Sale, into: Sale) =>
  reportedBy === 'merchant' && into.programId === programId && into.invoiceId !== invoiceId

const nameOfMerged = ({ id, invoiceId }: Sale) => `${invoiceId} (merged, sale ${id})`
