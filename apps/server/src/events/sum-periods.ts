import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { addDays } from './days.ts'
import {
  addToCounts,
  addToMoney,
  countsAsOf,
  dropEmpty,
  firstSummed,
  moneyOfLinks,
  PERIOD_DAYS,
} from './period-sums.ts'
import type { Days } from './periods.ts'
import { type Mark, markOf } from './roll-up-marks.ts'

const ROWS_A_STEP = 20_000
const LATELY_DAYS = 7

/**
 * Takes days that are over into the sums, and those that a period has left out of them: so many in one transaction as are
 * soon done. Says whether that was all.
 */
export const sumPeriods = (db: Database, programId: number): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const mark = await markOf(tx, programId).skipLocked().executeTakeFirst()
    const from = mark && (mark.summedDay ?? (await dayBeforeFirst(tx, programId)))
    if (!mark || !from || from >= mark.checkedDay) return true
    const to = await endOfStep(tx, { programId, from, checkedDay: mark.checkedDay })
    for (const days of PERIOD_DAYS) await move(tx, { programId, mark, days, from, to })
    await sql`
      UPDATE roll_ups SET summed_day = ${to}::date, rows_lately = (
        SELECT count(*) / ${LATELY_DAYS}::integer FROM daily_counts WHERE program_id = ${programId} AND day > ${to}::date - ${LATELY_DAYS}::integer AND day <= ${to}::date)
      WHERE program_id = ${programId}`.execute(tx)
    return to >= mark.checkedDay
  })

const dayBeforeFirst = async (tx: Tx, programId: number) => {
  const { rows } = await sql<{ day: string }>`
    SELECT day - 1 AS day FROM daily_counts WHERE program_id = ${programId} ORDER BY daily_counts.day LIMIT 1`.execute(
    tx,
  )
  return rows[0]?.day
}

type Step = { programId: number; from: string; checkedDay: string }

const endOfStep = async (tx: Tx, { programId, from, checkedDay }: Step) => {
  const { rows } = await sql<{ day: string }>`
    SELECT least(${checkedDay}::date, greatest(${from}::date + 1, coalesce((
      SELECT day - 1 FROM daily_counts WHERE program_id = ${programId} AND day > ${from}::date
      ORDER BY daily_counts.day OFFSET ${ROWS_A_STEP} LIMIT 1), ${checkedDay}::date))) AS day`.execute(tx)
  return rows[0]?.day ?? checkedDay
}

/** One period, from the days that it had to those that it has. */
type Move = { programId: number; mark: Mark; days: number; from: string; to: string }

const move = async (tx: Tx, { programId, mark, days, from, to }: Move) => {
  const [first, next] = [firstSummed(days, from), firstSummed(days, to)]
  const later = (one: string, other: string) => (one > other ? one : other)
  const earlier = (one: string, other: string) => (one < other ? one : other)
  const entering = { firstDay: days === 0 ? addDays(from, 1) : later(addDays(from, 1), next), lastDay: to }
  const leaving = days === 0 ? null : { firstDay: first, lastDay: earlier(from, addDays(next, -1)) }
  const moment = { programId, until: mark.countedUntil }
  const minus = (range: Days | null, rows: (range: Days) => RawBuilder<unknown>, columns: string) =>
    range ? sql`UNION ALL SELECT ${sql.raw(columns)} FROM (${rows(range)}) gone` : sql``
  const counts = (range: Days) => countsAsOf(moment, range)
  const money = (range: Days) => moneyOfLinks(programId, range)
  const period = (rows: RawBuilder<unknown>) => sql`SELECT ${days}::smallint AS days, change.* FROM (${rows}) change`
  await addToCounts(
    tx,
    programId,
    period(sql`${counts(entering)} ${minus(leaving, counts, 'link_id, partner_id, day, -clicks, -leads, -sales')}`),
  )
  await addToMoney(
    tx,
    programId,
    period(sql`${money(entering)} ${minus(leaving, money, 'link_id, currency, -revenue_cents, -commission_cents')}`),
  )
  await dropEmpty(tx, { programId, days })
}
