import type { Recorder } from '../../clock.ts'
import type { Tx } from '../../database/transaction.ts'
import { markDays, markRefundedSale } from '../../events/roll-up/changed-days.ts'
import { findRefundedCents } from '../../money/commissions/refunds.ts'
import { copyRejection } from '../../money/reviews/copy-rejection.ts'
import { findMergedSales, lockSales, type Sale } from '../../sales/find-sales.ts'
import { changeSale, voidSale } from '../../sales/sales.ts'
import { correctCommission, reverseCommission } from '../commissions/commission-changes.ts'
import { applyAdjustments } from '../commissions/credited-commissions.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { storeReviewDecision } from '../commissions/store-review-decision.ts'
import { createSales } from '../sales/create-sales.ts'
import { type CreditablePayment, type SalePlan, toNewSale } from './plan-sale.ts'

/** Keeps or creates the planned sale, merges the others into it and returns it. Null if the payment has no sale. */
export const executePlan = async (
  tx: Tx,
  recorder: Recorder,
  { keep, make, merge }: SalePlan,
  payment: CreditablePayment | null,
): Promise<Sale | null> => {
  const sales = merge.map(({ sale }) => sale)
  const sale =
    make !== null && payment ? await replaceSales(tx, recorder, { sales, payment, invoiceId: make }) : keep?.sale
  return sale ? await mergeInto(tx, recorder, { sale, others: sales }) : null
}

type Replacement = { sales: Sale[]; payment: CreditablePayment; invoiceId: string }

/** Records the sale again from everything known now. Old sales with the same `invoice_id`, voided ones too, are renamed first. */
const replaceSales = async (tx: Tx, recorder: Recorder, { sales, payment, invoiceId }: Replacement) => {
  const { clock } = recorder
  const { id: programId } = payment.program
  const merged = await findMergedSales(tx, { programId, invoiceId })
  for (const old of [...sales, ...merged])
    if (old.programId === programId && old.invoiceId === invoiceId)
      await changeSale(tx, { programId, saleId: old.id, invoiceId: mergedInvoiceId(old), at: clock() })
  const created = toNewSale(payment, invoiceId, clock())
  await createSales(tx, recorder, [created])
  const [sale] = await lockSales(tx, { programIds: [programId], invoiceIds: [invoiceId] })
  if (!created.recorded || !sale) throw new Error('another sale already has the invoice_id of this payment')
  return sale
}

/** Voids the other sales and carries over their refunds, rejections, adjustments and the amount with tax. */
const mergeInto = async (tx: Tx, { clock, hashKey }: Recorder, { sale, others }: { sale: Sale; others: Sale[] }) => {
  if (others.length === 0) return sale
  const { programId, id: saleId } = sale
  const at = clock()
  const refunded = await findRefundedCents(tx, { programId, saleId })
  for (const other of others) {
    await voidInto(tx, hashKey, { sale: other, into: sale, at })
    if (other.programId === programId)
      await carryOverRejection(tx, { programId, fromSaleId: other.id, toSaleId: saleId, at })
  }
  await markRefundedSale(tx, { programId, saleId })
  // A refund that the merchant recorded on a merged sale counts for the payment.
  const after = await findRefundedCents(tx, { programId, saleId })
  if (after > refunded) await reverseCommission(tx, { programId, sale, cause: 'processor', at })
  const saleCents = { before: sale.amountCents, after: sale.amountCents }
  // Refunds before the merge were not known to include tax.
  if (after < refunded) await correctCommission(tx, { programId, saleId, cause: 'refund', saleCents, at })
  await applyAdjustments(tx, { programId, saleId, at })
  const taxed = [sale, ...others].find((one) => one.programId === programId && one.grossCents !== null)
  return { ...sale, grossCents: taxed?.grossCents ?? null }
}

type Rejected = { programId: number; fromSaleId: number; toSaleId: number; at: Date }

/** A commission that a user rejected stays at zero after the merge. */
const carryOverRejection = async (tx: Tx, { programId, at, ...sales }: Rejected) => {
  const carried = await copyRejection(tx, { programId, at, ...sales })
  if (carried) await storeReviewDecision(tx, { programId, ...carried, at })
}

const voidInto = async (tx: Tx, hashKey: string, { sale, into, at }: { sale: Sale; into: Sale; at: Date }) => {
  const { programId, id: saleId, invoiceId, amountCents, grossCents, clickId } = sale
  await voidSale(tx, {
    programId,
    saleId,
    at,
    grossCents,
    mergedInto: into.programId === programId ? into.id : null,
    invoiceId: keepsInvoiceId(sale, into) ? invoiceId : mergedInvoiceId(sale),
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

/** The remaining sale takes over a processor's `invoice_id`. A merchant's stays on the sale that the merchant reported. */
const keepsInvoiceId = ({ reportedBy, programId, invoiceId }: Sale, into: Sale) =>
  reportedBy === 'merchant' && into.programId === programId && into.invoiceId !== invoiceId

const mergedInvoiceId = ({ id, invoiceId }: Pick<Sale, 'id' | 'invoiceId'>) => `${invoiceId} (merged, sale ${id})`
