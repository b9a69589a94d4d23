import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inLongTransaction, type Tx } from '../../database/transaction.ts'
import { DIMENSIONS, everyDimension } from '../overview/dimensions.ts'
import { type ConversionScope, conversionsByClick, conversionsByLink, moneyByDimension } from '../overview/facts.ts'
import { addCounts, addMoney } from './add-facts.ts'
import { rollUpCustomers, rollUpRefunds } from './roll-up-customers.ts'
import { lockMark } from './roll-up-marks.ts'

type RollUpOptions = { programId: number; isAwaited?: boolean | undefined }

/**
 * Recomputes the marked days, each once and in its own transaction, because a busy day can be marked again at any time. A day that
 * fails keeps its marks and is read from its rows; the others proceed. Returns the errors.
 */
export const rollUpChangedDays = async (db: Database, { programId, isAwaited = false }: RollUpOptions) => {
  const failures: unknown[] = []
  for (const marks of MARKS)
    for (const day of await markedDays(db, { programId, ...marks }))
      await inLongTransaction(db, async (tx) => {
        const markQuery = lockMark(tx, programId)
        const mark = await (isAwaited ? markQuery : markQuery.skipLocked()).executeTakeFirst()
        if (mark) await recomputeMarked(tx, { programId, day, ...marks })
      }).catch((error) => failures.push(error))
  return failures
}

const markedDays = async (db: Database, { programId, table }: { programId: number } & Pick<Marks, 'table'>) => {
  const { rows } = await sql<{ day: string }>`
    SELECT DISTINCT day FROM ${table} WHERE program_id = ${programId} ORDER BY day`.execute(db)
  return rows.map(({ day }) => day)
}

type Day = { programId: number; day: string }

type Marks = {
  table: RawBuilder<unknown>
  recompute: (tx: Tx, day: Day) => Promise<void>
  remove: (which: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Reads the marks first: later commits have their own mark, which stays. The program's row in roll_ups is the lock. */
const recomputeMarked = async (tx: Tx, { programId, day, table, recompute, remove }: Day & Marks) => {
  const ofDay = sql`program_id = ${programId} AND day = ${day}::date`
  const { rows: marks } = await sql<{ id: number }>`SELECT id FROM ${table} WHERE ${ofDay}`.execute(tx)
  if (marks.length === 0) return
  await recompute(tx, { programId, day })
  await remove(sql`${ofDay} AND id = ANY (${marks.map(({ id }) => id)}::bigint[])`).execute(tx)
}

/** Recomputes a day's leads, sales and money from its rows. */
const recomputeDay = async (tx: Tx, { programId, day }: Day) => {
  const of = { programId, days: sql`ARRAY[${day}::date]` }
  await replaceConversions(tx, { programId, day }, of)
  await replaceBreakdowns(tx, { programId, day }, of)
  await sql`
    DELETE FROM daily_money WHERE program_id = ${programId} AND dimension = ANY (${['link', ...DIMENSIONS]}) AND day = ${day}::date`.execute(
    tx,
  )
  await addMoney(tx, programId, moneyByDimension(of))
  await rollUpCustomers(tx, { programId, day })
}

const replaceConversions = async (tx: Tx, { programId, day }: Day, of: ConversionScope) => {
  await sql`DELETE FROM daily_conversions WHERE program_id = ${programId} AND day = ${day}::date`.execute(tx)
  await sql`
    INSERT INTO daily_conversions (program_id, link_id, partner_id, day, leads, sales)
    SELECT ${programId}, link_id, partner_id, day, sum(leads), sum(sales) FROM (${conversionsByLink(of)}) fact
    GROUP BY link_id, partner_id, day`.execute(tx)
}

/** Existing values keep their rows during the update, so that they do not move to `(other)` on a folded day. */
const replaceBreakdowns = async (tx: Tx, { programId, day }: Day, of: ConversionScope) => {
  const isOnDay = sql`program_id = ${programId} AND dimension = ANY (${[...DIMENSIONS]}) AND day = ${day}::date`
  await sql`UPDATE daily_breakdowns SET leads = 0, sales = 0 WHERE ${isOnDay} AND (leads > 0 OR sales > 0)`.execute(tx)
  await addCounts(
    tx,
    programId,
    sql`SELECT dimension, day, value, 0 AS clicks, sum(leads) AS leads, sum(sales) AS sales
      FROM (${conversionsByClick(of)}) click CROSS JOIN LATERAL ${everyDimension} GROUP BY dimension, day, value`,
  )
  await sql`DELETE FROM daily_breakdowns WHERE ${isOnDay} AND clicks = 0 AND leads = 0 AND sales = 0`.execute(tx)
}

/** Where days are marked, and how a day is recomputed. */
const MARKS: Marks[] = [
  {
    table: sql`changed_days`,
    recompute: recomputeDay,
    remove: (which) => sql`DELETE FROM changed_days WHERE ${which}`,
  },
  {
    table: sql`refunded_days`,
    recompute: rollUpRefunds,
    remove: (which) => sql`DELETE FROM refunded_days WHERE ${which}`,
  },
]
