import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'

type NewRefund = {
  programId: number
  saleId: number
  refundId: string | null
  amountCents: number
  /** The caller said: all that is left. */
  isAll: boolean
  reason: string | null
  requestHash: Buffer
  refundedAt: Date
}

export const insertRefund = async (tx: Tx, refund: NewRefund) => {
  const { id } = await tx.insertInto('refunds').values(refund).returning('id').executeTakeFirstOrThrow()
  return id
}

export const findRefund = (db: Database | Tx, { programId, refundId }: { programId: number; refundId: string }) =>
  db
    .selectFrom('refunds')
    .select(['id', 'saleId', 'amountCents', 'requestHash'])
    .where('programId', '=', programId)
    .where('refundId', '=', refundId)
    .executeTakeFirst()

/**
 * What of a sale is refunded by now, whoever told of it. The merchant's word and the processor's add up, but for a refund that
 * both call by the same name; never beyond the sale. Refunds of a sale that was merged into this one are refunds of this one.
 */
export const refundedOf = (sale: 'sale') => sql<number>`(
  SELECT CASE WHEN bool_or(told.is_all) THEN ${sql.ref(`${sale}.amount_cents`)}
    ELSE least(${sql.ref(`${sale}.amount_cents`)}, coalesce(sum(told.cents), 0)::bigint) END
  FROM (
    SELECT processor.refunded_cents AS cents, false AS is_all FROM processor_refunds processor
    WHERE processor.program_id = ${sql.ref(`${sale}.program_id`)} AND processor.sale_id = ${sql.ref(`${sale}.id`)}
    UNION ALL
    SELECT refund.amount_cents, refund.is_all FROM refunds refund
    WHERE refund.program_id = ${sql.ref(`${sale}.program_id`)}
      AND refund.sale_id IN (
        SELECT ${sql.ref(`${sale}.id`)} UNION ALL
        SELECT merged.id FROM sales merged
        WHERE merged.program_id = ${sql.ref(`${sale}.program_id`)} AND merged.merged_into = ${sql.ref(`${sale}.id`)})
      AND NOT EXISTS (
        SELECT FROM processor_refunds processor
        WHERE processor.program_id = refund.program_id AND processor.sale_id = ${sql.ref(`${sale}.id`)}
          AND refund.refund_id = ANY (processor.refund_ids))) told)`

export const refundedCentsOf = async (
  db: Database | Tx,
  { programId, saleId }: { programId: number; saleId: number },
) => {
  const { rows } = await sql<{ cents: number }>`
    SELECT ${refundedOf('sale')} AS cents FROM sales sale WHERE program_id = ${programId} AND id = ${saleId}`.execute(
    db,
  )
  return rows[0]?.cents ?? 0
}

type OfSale = { programId: number; id: number }
export const nameOfSale = ({ programId, id }: OfSale) => `${programId} ${id}`

/** Which of these sales anybody has refunded or disputed, also under another name of theirs, by `nameOfSale`. */
export const refundedOrDisputed = async (tx: Tx, sales: OfSale[]): Promise<Set<string>> => {
  if (sales.length === 0) return new Set()
  const column = columnsOf(sales)
  const { rows } = await sql<OfSale>`
    SELECT asked.program_id, asked.id
    FROM unnest(${column('programId', 'integer')}, ${column('id', 'bigint')}) AS asked(program_id, id)
    WHERE EXISTS (SELECT FROM refunds WHERE refunds.program_id = asked.program_id AND refunds.sale_id = asked.id)
      OR EXISTS (SELECT FROM processor_refunds told WHERE told.program_id = asked.program_id AND told.sale_id = asked.id)
      OR EXISTS (SELECT FROM disputes WHERE disputes.program_id = asked.program_id AND disputes.sale_id = asked.id)
      OR EXISTS (SELECT FROM sales merged WHERE merged.program_id = asked.program_id AND merged.merged_into = asked.id)`.execute(
    tx,
  )
  return new Set(rows.map(nameOfSale))
}

type Told = { programId: number; saleId: number; refundedCents: number; refundIds: string[] }

/** What the processor says of a sale now. False where it has said so before. */
export const keepProcessorRefunds = async (tx: Tx, { programId, saleId, refundedCents, refundIds }: Told) => {
  const known = await tx
    .selectFrom('processorRefunds')
    .select(['refundedCents', 'refundIds'])
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .executeTakeFirst()
  const isSame = (known?.refundIds ?? []).join('\n') === refundIds.join('\n')
  if (isSame && (known?.refundedCents ?? 0) === refundedCents) return false
  await tx
    .insertInto('processorRefunds')
    .values({ programId, saleId, refundedCents, refundIds })
    .onConflict((conflict) => conflict.columns(['programId', 'saleId']).doUpdateSet({ refundedCents, refundIds }))
    .execute()
  return true
}

/** The same of a sale whose amount has changed, if the processor has told of refunds at all. */
export const changeProcessorRefunds = (tx: Tx, { programId, saleId, ...told }: Told) =>
  tx.updateTable('processorRefunds').set(told).where('programId', '=', programId).where('saleId', '=', saleId).execute()

/** The processor has told of this very refund. */
export const isProcessorRefund = async (
  tx: Tx,
  { programId, saleId, refundId }: { programId: number; saleId: number; refundId: string },
) => {
  const row = await tx
    .selectFrom('processorRefunds')
    .select('refundIds')
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .executeTakeFirst()
  return row?.refundIds.includes(refundId) ?? false
}
