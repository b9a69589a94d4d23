import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import { selectRefundedCents, selectRefundedGrossCents } from '../../database/sql/refunded.ts'
import type { Tx } from '../../database/transaction.ts'
import { changing } from '../../outbox/publish-changes.ts'

type NewRefund = {
  programId: number
  saleId: number
  refundId: string | null
  amountCents: number
  /** The request named no amount: refund everything that is left. */
  isAll: boolean
  reason: string | null
  requestHash: Buffer
  refundedAt: Date
}

export const insertRefund = async (tx: Tx, refund: NewRefund) => {
  const { programId, saleId, refundedAt: at } = refund
  const writer = await changing(tx, 'sale', { programId, ids: [saleId], at })
  const { id } = await writer.insertInto('refunds').values(refund).returning('id').executeTakeFirstOrThrow()
  return id
}

export const findRefund = (db: Database | Tx, { programId, refundId }: { programId: number; refundId: string }) =>
  db
    .selectFrom('refunds')
    .select(['id', 'saleId', 'amountCents', 'requestHash'])
    .where('programId', '=', programId)
    .where('refundId', '=', refundId)
    .executeTakeFirst()

type SaleOfProgram = { programId: number; saleId: number }

const readRefunded = async (db: Database | Tx, cents: RawBuilder<number>, { programId, saleId }: SaleOfProgram) => {
  const { rows } = await sql<{ cents: number }>`
    SELECT ${cents} AS cents FROM sales sale WHERE program_id = ${programId} AND id = ${saleId}`.execute(db)
  return rows[0]?.cents ?? 0
}

export const findRefundedCents = (db: Database | Tx, sale: SaleOfProgram) =>
  readRefunded(db, selectRefundedCents('sale'), sale)

/** Includes tax, if the merchant stated a tax. */
export const findRefundedGrossCents = (db: Database | Tx, sale: SaleOfProgram) =>
  readRefunded(db, selectRefundedGrossCents, sale)

type SaleKey = { programId: number; id: number }

export const saleKey = ({ programId, id }: SaleKey) => `${programId} ${id}`

/** The `saleKey` of each sale that has a refund, a dispute or a merged sale. */
export const findRefundedOrDisputed = async (tx: Tx, sales: SaleKey[]): Promise<Set<string>> => {
  if (sales.length === 0) return new Set()
  const column = columnsOf(sales)
  const { rows } = await sql<SaleKey>`
    SELECT wanted.program_id, wanted.id
    FROM unnest(${column('programId', 'integer')}, ${column('id', 'bigint')}) AS wanted(program_id, id)
    WHERE EXISTS (SELECT FROM refunds WHERE refunds.program_id = wanted.program_id AND refunds.sale_id = wanted.id)
      OR EXISTS (SELECT FROM processor_refunds processor WHERE processor.program_id = wanted.program_id AND processor.sale_id = wanted.id)
      OR EXISTS (SELECT FROM disputes WHERE disputes.program_id = wanted.program_id AND disputes.sale_id = wanted.id)
      OR EXISTS (SELECT FROM sales merged WHERE merged.program_id = wanted.program_id AND merged.merged_into = wanted.id)`.execute(
    tx,
  )
  return new Set(rows.map(saleKey))
}

type ProcessorRefunds = { programId: number; saleId: number; refundedCents: number; refundIds: string[]; at: Date }

/** Stores the processor's refund total for a sale. False if nothing changed. */
export const saveProcessorRefunds = async (
  tx: Tx,
  { programId, saleId, refundedCents, refundIds, at }: ProcessorRefunds,
) => {
  const known = await tx
    .selectFrom('processorRefunds')
    .select(['refundedCents', 'refundIds'])
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .executeTakeFirst()
  const isSame = (known?.refundIds ?? []).join('\n') === refundIds.join('\n')
  if (isSame && (known?.refundedCents ?? 0) === refundedCents) return false
  const writer = await changing(tx, 'sale', { programId, ids: [saleId], at })
  await writer
    .insertInto('processorRefunds')
    .values({ programId, saleId, refundedCents, refundIds })
    .onConflict((conflict) => conflict.columns(['programId', 'saleId']).doUpdateSet({ refundedCents, refundIds }))
    .execute()
  return true
}

/** Updates the stored refunds after the sale amount changed; does nothing if the processor reported none. */
export const updateProcessorRefunds = async (tx: Tx, { programId, saleId, at, ...refunds }: ProcessorRefunds) => {
  const writer = await changing(tx, 'sale', { programId, ids: [saleId], at })
  await writer
    .updateTable('processorRefunds')
    .set(refunds)
    .where('programId', '=', programId)
    .where('saleId', '=', saleId)
    .execute()
}

/** Whether the processor has also reported this refund. */
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
