import { sql } from 'kysely'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'

type ChangedDay = { programId: number; day: string }

/**
 * Marks days whose leads, sales or commissions change in this transaction. Readers take a marked day from its rows until the
 * roll-up has recomputed it. Insert-only, so writers do not block each other.
 */
export const markDays = async (tx: Tx, changed: ChangedDay[]) => {
  const days = [...new Map(changed.map((one) => [`${one.programId} ${one.day}`, one])).values()]
  const column = columnsOf(days)
  if (days.length > 0)
    await sql`INSERT INTO changed_days (program_id, day)
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('day', 'date')})`.execute(tx)
}

/** Marks the day of a credited sale whose refunds or disputes change in this transaction. */
export const markRefundedSale = (tx: Tx, { programId, saleId }: { programId: number; saleId: number }) =>
  sql`INSERT INTO refunded_days (program_id, day)
    SELECT program_id, day FROM sales
    WHERE program_id = ${programId} AND id = ${saleId} AND credit_source IS NOT NULL AND voided_at IS NULL`.execute(tx)

/** Like `markDays`, as a part of the statement that writes the rows it calls `written` (program_id, day, is_counted). */
export const markDaysWritten = sql`
  INSERT INTO changed_days (program_id, day) SELECT DISTINCT program_id, day FROM written WHERE is_counted`

/** A program's marked days as an array. Read it in the same statement as the sums, so that both see one snapshot. */
export const changedDays = (programId: number) =>
  sql`ARRAY(SELECT DISTINCT changed.day FROM changed_days changed WHERE changed.program_id = ${programId})`
