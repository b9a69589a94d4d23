import { sql } from 'kysely'
import type { Recorder } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { creditEarlierPayment } from './credit-earlier-payment.ts'

export type BackfillDeps = Recorder & { db: Database }
type CodeKey = { programId: number; codeId: number }

/** The uncredited sales with the code. Those that another partner was credited for stay with that partner. */
const earlierSales = ({ programId, codeId }: CodeKey) => sql`
  sales sale
  WHERE sale.program_id = ${programId} AND sale.promotion_code IS NOT NULL AND lower(sale.promotion_code) = (
      SELECT lower(code.code) FROM promotion_codes code WHERE code.program_id = ${programId} AND code.id = ${codeId})
    AND sale.credit_source IS NULL AND sale.voided_at IS NULL`

/** Counts the earlier payments with the code. The caller holds the lock on the terms, so no other can be added. */
export const beginCodeBackfill = async (tx: Tx, { programId, codeId, at }: CodeKey & { at: Date }) => {
  await sql`
    INSERT INTO code_backfills (program_id, code_id, total, started_at)
    SELECT ${programId}, ${codeId}, (SELECT count(*) FROM ${earlierSales({ programId, codeId })}), ${at}
    ON CONFLICT (program_id, code_id) DO UPDATE SET total = excluded.total, done = 0, started_at = excluded.started_at,
      last_sold_at = NULL, last_sale_id = NULL, finished_at = NULL`.execute(tx)
}

/** Credits the earlier payments with a code, oldest first, each in its own transaction. Stops after `max`. */
export const runCodeBackfill = async (deps: BackfillDeps, { max, ...key }: CodeKey & { max: number }) => {
  const program = await findProgram(deps.db, key.programId)
  if (!program) return
  for (let payments = 0; payments < max; payments++)
    if (!(await inTransaction(deps.db, (tx) => creditNext(tx, deps, { ...key, program })))) return
  // A call that credited everything does not leave the end to housekeeping.
  await inTransaction(deps.db, (tx) => finishIfDone(tx, deps, key))
}

const PAYMENTS_PER_RUN = 5_000

/** Continues backfills that a call left unfinished or a restart interrupted. */
export const finishCodeBackfills = async (deps: BackfillDeps) => {
  const { rows } = await sql<CodeKey>`
    SELECT program_id, code_id FROM code_backfills WHERE finished_at IS NULL ORDER BY started_at`.execute(deps.db)
  for (const key of rows) await runCodeBackfill(deps, { ...key, max: PAYMENTS_PER_RUN })
}

type Step = CodeKey & { program: Program }
type Cursor = { lastSoldAt: Date | null; lastSaleId: number | null }

/** Each step takes this lock first, so two runs take turns. */
const lockOpen = async (tx: Tx, { programId, codeId }: CodeKey) => {
  const { rows } = await sql<Cursor>`
    SELECT last_sold_at, last_sale_id FROM code_backfills
    WHERE program_id = ${programId} AND code_id = ${codeId} AND finished_at IS NULL FOR UPDATE`.execute(tx)
  return rows[0]
}

/** Continues in the index sales_with_code at the cursor, so that a step costs the same however many payments have the code. */
const findNext = async (tx: Tx, key: CodeKey, { lastSoldAt, lastSaleId }: Cursor) => {
  const { rows } = await sql<{ id: number; soldAt: Date; invoiceId: string }>`
    SELECT sale.id, sale.sold_at, sale.invoice_id FROM ${earlierSales(key)}
      AND (sale.sold_at, sale.id) > (coalesce(${lastSoldAt}::timestamptz, '-infinity'), coalesce(${lastSaleId}::bigint, 0))
    ORDER BY sale.sold_at, sale.id LIMIT 1`.execute(tx)
  return rows[0]
}

/** Returns false when no payment is left. */
const creditNext = async (tx: Tx, recorder: Recorder, { program, ...key }: Step): Promise<boolean> => {
  const cursor = await lockOpen(tx, key)
  if (!cursor) return false
  const next = await findNext(tx, key, cursor)
  if (!next) {
    await finish(tx, recorder, key)
    return false
  }
  await creditEarlierPayment(tx, recorder, { program, saleId: next.id, invoiceId: next.invoiceId })
  await sql`
    UPDATE code_backfills SET done = done + 1, last_sold_at = ${next.soldAt}, last_sale_id = ${next.id}
    WHERE program_id = ${key.programId} AND code_id = ${key.codeId}`.execute(tx)
  return true
}

const finishIfDone = async (tx: Tx, recorder: Recorder, key: CodeKey) => {
  const cursor = await lockOpen(tx, key)
  if (cursor && !(await findNext(tx, key, cursor))) await finish(tx, recorder, key)
}

const finish = (tx: Tx, { clock }: Recorder, { programId, codeId }: CodeKey) =>
  sql`UPDATE code_backfills SET finished_at = ${clock()} WHERE program_id = ${programId} AND code_id = ${codeId}`.execute(
    tx,
  )
