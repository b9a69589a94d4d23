import type { AdjustmentType } from '@tributary/contract'
import { sql } from 'kysely'
import { isUndone, selectActiveVoid } from '../../database/sql/active-void.ts'
import type { Tx, Writer } from '../../database/transaction.ts'
import { changing } from '../../outbox/publish-changes.ts'
import { saleOfCommission } from './manual-credits.ts'

type NewAdjustment = {
  programId: number
  type: AdjustmentType
  partnerId: number
  fromPartnerId?: number
  saleId?: number
  commissionId?: number
  amountCents?: number
  currency?: string
  payableAt?: Date
  reason: string
  note: string | null
  createdBy: string
  createdAt: Date
}

export const insertAdjustment = async (tx: Tx, adjustment: NewAdjustment) => {
  const writer = await changingSubject(tx, adjustment, adjustment.createdAt)
  const { id } = await writer.insertInto('adjustments').values(adjustment).returning('id').executeTakeFirstOrThrow()
  return id
}

type Subject = Pick<NewAdjustment, 'programId' | 'type'> & { saleId?: number | null; commissionId?: number | null }

/** For a change of what members decided about a sale or a commission. */
const changingSubject = async (tx: Tx, subject: Subject, at: Date): Promise<Writer> => {
  const { programId, type, saleId, commissionId } = subject
  if ((type === 'credit' || type === 'move') && saleId) {
    const { rows } = await sql<{ id: number }>`
      SELECT coalesce(merged_into, id) AS id FROM sales WHERE program_id = ${programId} AND id = ${saleId}`.execute(tx)
    return changing(tx, 'sale', { programId, ids: rows.map(({ id }) => id), at })
  }
  const ids = type === 'void' && commissionId ? await findVoidedCommissions(tx, { programId, commissionId }) : []
  return changing(tx, 'commission', { programId, ids, at })
}

export type Adjustment = NonNullable<Awaited<ReturnType<typeof findAdjustment>>>

export const findAdjustment = (tx: Tx, { programId, id }: { programId: number; id: number }) =>
  tx
    .selectFrom('adjustments')
    .select(['id', 'programId', 'partnerId', 'fromPartnerId', 'saleId', 'commissionId', 'amountCents', 'currency'])
    .select((e) => e.ref('type').$castTo<AdjustmentType>().as('type'))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()

type Reversal = { adjustment: Adjustment; reason: string; reversedBy: string; reversedAt: Date }

/** False if it is already reversed; the primary key decides between concurrent calls. */
export const insertReversal = async (tx: Tx, { adjustment, ...reversal }: Reversal) => {
  const { programId, id: adjustmentId } = adjustment
  const writer = await changingSubject(tx, adjustment, reversal.reversedAt)
  const inserted = await writer
    .insertInto('adjustmentReversals')
    .values({ programId, adjustmentId, ...reversal })
    .onConflict((conflict) => conflict.columns(['programId', 'adjustmentId']).doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

type SaleKey = { programId: number; saleId: number }

/** A member's decision about which partner gets a sale, and the commission it pays. */
export type CreditOfSale = { id: number; partnerId: number; isUndone: boolean; commissionId: number }

/** The decisions about a sale, including those about sales merged into it. */
export const findCreditsOfSale = async (tx: Tx, { programId, saleId }: SaleKey): Promise<CreditOfSale[]> => {
  const { rows } = await sql<CreditOfSale>`
    SELECT assigned.id, assigned.partner_id, commission.id AS commission_id, ${isUndone('assigned')} AS is_undone
    FROM (
      SELECT ${saleId}::bigint AS id UNION ALL
      SELECT merged.id FROM sales merged WHERE merged.program_id = ${programId} AND merged.merged_into = ${saleId}) named
    JOIN adjustments assigned ON assigned.program_id = ${programId} AND assigned.sale_id = named.id
      AND assigned.type IN ('credit', 'move')
    JOIN commissions commission ON commission.program_id = assigned.program_id AND commission.adjustment_id = assigned.id
    ORDER BY assigned.id`.execute(tx)
  return rows
}

/** Those of the sales that a member has credited or moved, in order. */
export const findAssignedSales = async (tx: Tx, { programId, saleIds }: { programId: number; saleIds: number[] }) => {
  const { rows } = await sql<{ saleId: number }>`
    SELECT DISTINCT coalesce(named.merged_into, named.id) AS sale_id FROM adjustments assigned
    JOIN sales named ON named.program_id = assigned.program_id AND named.id = assigned.sale_id
    WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move') AND assigned.sale_id IN (
      SELECT unnest(${saleIds}::bigint[]) UNION ALL
      SELECT merged.id FROM sales merged WHERE merged.program_id = ${programId} AND merged.merged_into = ANY (${saleIds}::bigint[]))
    ORDER BY 1`.execute(tx)
  return rows.map(({ saleId }) => saleId)
}

type CommissionKey = { programId: number; commissionId: number }

/** The lead or sale that a commission pays for; null for bonuses and manual commissions. */
export const findEventOfCommission = async (
  tx: Tx,
  { programId, commissionId }: CommissionKey,
): Promise<{ saleId: number } | { leadId: number } | null> => {
  const { rows } = await sql<{ saleId: number | null; leadId: number | null }>`
    SELECT ${saleOfCommission('commission')} AS sale_id, commission.lead_id FROM commissions commission
    WHERE commission.program_id = ${programId} AND commission.id = ${commissionId}`.execute(tx)
  const [row] = rows
  if (row?.saleId) return { saleId: row.saleId }
  return row?.leadId ? { leadId: row.leadId } : null
}

/** The active void of a commission, also one of a sale that was merged into its sale. */
export const findActiveVoid = async (tx: Tx, { programId, commissionId }: CommissionKey) => {
  const { rows } = await sql<{ id: number }>`
    SELECT active.id FROM commissions commission
    CROSS JOIN LATERAL ${selectActiveVoid('commission', sql`voided.id`)} active
    WHERE commission.program_id = ${programId} AND commission.id = ${commissionId}`.execute(tx)
  return rows[0]?.id ?? null
}

/** The commission itself and, if its sale was merged into another, the same partner's commission there: a void holds for both. */
export const findVoidedCommissions = async (tx: Tx, { programId, commissionId }: CommissionKey) => {
  const { rows } = await sql<{ id: number }>`
    SELECT ${commissionId}::bigint AS id UNION
    SELECT remaining.id FROM commissions commission
    JOIN sales merged ON merged.program_id = commission.program_id AND merged.id = commission.sale_id
    JOIN commissions remaining ON remaining.program_id = merged.program_id AND remaining.sale_id = merged.merged_into
      AND remaining.partner_id = commission.partner_id
    WHERE commission.program_id = ${programId} AND commission.id = ${commissionId} ORDER BY 1`.execute(tx)
  return rows.map(({ id }) => id)
}
