import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { everyDimension } from '../overview/dimensions.ts'
import { clickFacts, type Span } from '../overview/facts.ts'
import { addCounts } from './add-facts.ts'
import { foldDays } from './fold-days.ts'
import { addHours, dropOldHours, replaceHours } from './hourly-clicks.ts'
import { rollUpChangedDays } from './roll-up-days.ts'
import { createMark, LAG_MS, lockMark } from './roll-up-marks.ts'
import { sumWeek } from './weekly-clicks.ts'

const HOUR_MS = 3_600_000
/** Keeps one step well below the statement timeout. */
const CLICKS_PER_STEP = 20_000

type Program = { id: number; timezone: string }

type Step = {
  program: Program
  at: Date
  /** Whether a reader is waiting: then wait for a concurrent roll-up instead of skipping. */
  isAwaited?: boolean
}

/**
 * Recomputes changed days, rolls up one step of new clicks, then sums one finished week. Returns whether nothing is left to do.
 * Skips a program that another process has locked, unless a reader is waiting. Days come first, so that sales are known when
 * old days are folded.
 */
export const rollUp = async (db: Database, step: Step): Promise<boolean> => {
  await inTransaction(db, (tx) => createMark(tx, step.program.id, step.at))
  const [failure] = await rollUpChangedDays(db, { programId: step.program.id, isAwaited: step.isAwaited })
  const isDone = await inTransaction(db, (tx) => rollUpClicks(tx, step))
  if (failure) throw failure
  if (!isDone) return false
  return inTransaction(db, (tx) => sumWeek(tx, { programId: step.program.id, at: step.at }))
}

const rollUpClicks = async (tx: Tx, { program, at, isAwaited = false }: Step) => {
  const programId = program.id
  const markQuery = lockMark(tx, programId)
  const mark = await (isAwaited ? markQuery : markQuery.skipLocked()).executeTakeFirst()
  const target = new Date(at.getTime() - LAG_MS)
  if (!mark || mark.countedUntil >= target) return true
  const until = await endOfStep(tx, programId, { after: mark.countedUntil, target })
  const span = { programId, after: sql`${mark.countedUntil}`, until: sql`${until}` }
  await addCounts(tx, programId, clicksByDimension(span, null))
  await addHours(tx, { ...span, onDay: null })
  const closed = await recountDays(tx, { program, checkedDay: mark.checkedDay, until })
  if (closed !== mark.checkedDay) {
    await foldDays(tx, { programId, after: mark.checkedDay, until: closed })
    await dropOldHours(tx, { programId, today: closed })
  }
  await tx
    .updateTable('rollUps')
    .set({ countedUntil: until, checkedDay: closed })
    .where('programId', '=', programId)
    .execute()
  return until >= target
}

const endOfStep = async (tx: Tx, programId: number, { after, target }: { after: Date; target: Date }) => {
  const { rows } = await sql<{ until: Date }>`
    SELECT least(${target}::timestamptz, (
      SELECT clicked_at FROM click_events WHERE program_id = ${programId} AND clicked_at > ${after}
      ORDER BY clicked_at OFFSET ${CLICKS_PER_STEP} LIMIT 1)) AS until`.execute(tx)
  return rows[0]?.until ?? target
}

/** `onDay` restricts the clicks to one day. */
const clicksByDimension = (span: Span, onDay: string | null) => sql`
  SELECT dimension, day, value, sum(clicks) AS clicks, 0 AS leads, 0 AS sales FROM (
    -- Many clicks are identical, so group them before expanding the dimensions.
    SELECT day, country, device, browser, operating_system, referrer_url, page_url, count(*) AS clicks
    FROM (${clickFacts(span)}) fact WHERE ${onDay}::date IS NULL OR day = ${onDay}::date
    GROUP BY day, country, device, browser, operating_system, referrer_url, page_url) click
  CROSS JOIN LATERAL ${everyDimension}
  GROUP BY dimension, day, value`

/**
 * Daily counts are exact in every snapshot. A past day that differs from them had a click that committed unusually late, so its
 * clicks are recounted.
 */
const recountDays = async (
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
    // A day in any time zone lies within one day before and after its date.
    const after = sql`${day}::date - interval '1 day'`
    const end = sql`least(${until}::timestamptz, ${day}::date + interval '2 days')`
    await addCounts(tx, program.id, clicksByDimension({ programId: program.id, after, until: end }, day))
    await replaceHours(tx, { programId: program.id, after, until: end, onDay: day })
  }
  const { rows: days } = await sql<{ day: string }>`SELECT greatest(${checkedDay}::date, ${closed}) AS day`.execute(tx)
  return days[0]?.day ?? checkedDay
}
