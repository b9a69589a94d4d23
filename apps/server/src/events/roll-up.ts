import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { addCounts, addMoney } from './add-facts.ts'
import { everyDimension } from './dimensions.ts'
import { countedByLink, countedFacts, moneyByAll, moneyByLink, type Span } from './facts.ts'
import { foldDays } from './fold-days.ts'
import { addLate } from './period-sums.ts'
import { beginMark, LAG_MS, markOf } from './roll-up-marks.ts'

const HOUR_MS = 3_600_000
/** One step stays far below the time that a statement may take. */
const CLICKS_A_STEP = 20_000
const OTHERS_A_STEP = 2_000

type Program = { id: number; timezone: string }

type Step = {
  program: Program
  at: Date
  /** Somebody needs it done, by whomever. */
  isAwaited?: boolean
}

/**
 * Rolls up what came since the last time, one step in one transaction. Says whether that was all. Whoever finds the program
 * locked leaves it to the one who works on it, unless it is awaited.
 */
export const rollUp = (db: Database, { program, at, isAwaited = false }: Step): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await beginMark(tx, program.id, at)
    const held = markOf(tx, program.id)
    const mark = await (isAwaited ? held : held.skipLocked()).executeTakeFirst()
    const target = new Date(at.getTime() - LAG_MS)
    if (!mark || mark.countedUntil >= target) return true
    const until = await endOfStep(tx, program.id, { after: mark.countedUntil, target })
    const span = { programId: program.id, after: sql`${mark.countedUntil}`, until: sql`${until}` }
    await addCounts(tx, program.id, factsByAll(span, null))
    await addMoney(tx, program.id, moneyByAll(span))
    const late = { counts: countedByLink(span), money: moneyByLink(span) }
    await addLate(tx, { programId: program.id, summedDay: mark.summedDay, ...late })
    const closed = await mendDays(tx, { program, checkedDay: mark.checkedDay, until })
    if (closed !== mark.checkedDay) await foldDays(tx, { programId: program.id, after: mark.checkedDay, until: closed })
    await tx
      .updateTable('rollUps')
      .set({ countedUntil: until, checkedDay: closed })
      .where('programId', '=', program.id)
      .execute()
    return until >= target
  })

const endOfStep = async (tx: Tx, programId: number, { after, target }: { after: Date; target: Date }) => {
  const nth = (table: string, time: string, rows: number) => sql`(
    SELECT ${sql.raw(time)} FROM ${sql.raw(table)} WHERE program_id = ${programId} AND ${sql.raw(time)} > ${after}
    ORDER BY ${sql.raw(time)} OFFSET ${rows} LIMIT 1)`
  const { rows } = await sql<{ until: Date }>`
    SELECT least(${target}::timestamptz, ${nth('click_events', 'clicked_at', CLICKS_A_STEP)},
      ${nth('leads', 'settled_at', OTHERS_A_STEP)}, ${nth('sales', 'credited_at', OTHERS_A_STEP)}) AS until`.execute(tx)
  return rows[0]?.until ?? target
}

/** Clicks alone where one day is counted anew. */
const factsByAll = (span: Span, onDay: string | null) => sql`
  SELECT dimension, day, value, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales FROM (
    -- Most clicks look like many others; what is the same is taken apart once.
    SELECT day, country, device, browser, operating_system, referrer_url, page_url,
      sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales
    FROM (${countedFacts(span)}) fact WHERE ${onDay}::date IS NULL OR (day = ${onDay}::date AND clicks = 1)
    GROUP BY day, country, device, browser, operating_system, referrer_url, page_url) click
  CROSS JOIN LATERAL ${everyDimension}
  GROUP BY dimension, day, value`

/**
 * The counts of a day are exact in every snapshot. A day that is over and does not agree with them had a click that was
 * committed later than anybody thought possible: its clicks are counted anew.
 */
const mendDays = async (
  tx: Tx,
  { program, checkedDay, until }: { program: Program; checkedDay: string; until: Date },
) => {
  const closed = sql`((${new Date(until.getTime() - HOUR_MS)}::timestamptz AT TIME ZONE ${program.timezone})::date - 1)`
  const { rows } = await sql<{ day: string }>`
    SELECT day FROM (
      SELECT day, sum(clicks) AS clicks FROM daily_counts
      WHERE program_id = ${program.id} AND day > ${checkedDay}::date AND day <= ${closed} GROUP BY day) counted
    FULL JOIN (
      SELECT day, sum(clicks) AS clicks FROM daily_breakdowns
      WHERE program_id = ${program.id} AND dimension = 'device' AND day > ${checkedDay}::date AND day <= ${closed} GROUP BY day) rolled USING (day)
    WHERE coalesce(counted.clicks, 0) <> coalesce(rolled.clicks, 0)`.execute(tx)
  for (const { day } of rows) {
    await sql`UPDATE daily_breakdowns SET clicks = 0 WHERE program_id = ${program.id} AND day = ${day}::date`.execute(
      tx,
    )
    // A day of any time zone lies within a day before and after its date.
    const after = sql`${day}::date - interval '1 day'`
    const end = sql`least(${until}::timestamptz, ${day}::date + interval '2 days')`
    await addCounts(tx, program.id, factsByAll({ programId: program.id, after, until: end }, day))
  }
  const { rows: days } = await sql<{ day: string }>`SELECT greatest(${checkedDay}::date, ${closed}) AS day`.execute(tx)
  return days[0]?.day ?? checkedDay
}
