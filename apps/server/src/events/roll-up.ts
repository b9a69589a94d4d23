import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { everyDimension } from './dimensions.ts'
import { countedFacts, moneyByClick, moneyByLink, type Span } from './facts.ts'

/** A call takes its time before it waits for its commit. What is younger than this is not rolled up yet, only added on reading. */
const LAG_MS = 120_000
const HOUR_MS = 3_600_000
/** One step stays far below the time that a statement may take. */
const CLICKS_A_STEP = 20_000
const OTHERS_A_STEP = 2_000
/** Anybody can invent referrers. Beyond this many a day the rare ones are kept together. */
const VALUES_A_DAY = 200

type Program = { id: number; timezone: string }

/** Whether `countedUntil` is recent enough that what came since can be added on reading. */
export const isFresh = (countedUntil: Date, at: Date) => countedUntil.getTime() >= at.getTime() - LAG_MS - 60_000

export const countedUntil = async (db: Database, programId: number) =>
  (await db.selectFrom('rollUps').select('countedUntil').where('programId', '=', programId).executeTakeFirst())
    ?.countedUntil ?? null

/**
 * Rolls up what came since the last time, one step in one transaction. Says whether that was all. Whoever finds the program
 * locked leaves it to the one who works on it.
 */
export const rollUp = (db: Database, { program, at }: { program: Program; at: Date }): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await begin(tx, program.id, at)
    const mark = await tx
      .selectFrom('rollUps')
      .select(['countedUntil', 'checkedDay'])
      .where('programId', '=', program.id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    const target = new Date(at.getTime() - LAG_MS)
    if (!mark || mark.countedUntil >= target) return true
    const until = await endOfStep(tx, program.id, { after: mark.countedUntil, target })
    const span = { programId: program.id, after: sql`${mark.countedUntil}`, until: sql`${until}` }
    await addCounts(tx, span)
    await addMoney(tx, span)
    const closed = await mendDays(tx, { program, checkedDay: mark.checkedDay, until })
    await tx
      .updateTable('rollUps')
      .set({ countedUntil: until, checkedDay: closed })
      .where('programId', '=', program.id)
      .execute()
    return until >= target
  })

/** The first time begins just before the first event. */
const begin = (tx: Tx, programId: number, at: Date) =>
  sql`
  INSERT INTO roll_ups (program_id, counted_until, checked_day)
  SELECT ${programId}, coalesce(least(
      (SELECT min(clicked_at) FROM click_events WHERE program_id = ${programId}),
      (SELECT min(settled_at) FROM leads WHERE program_id = ${programId} AND settled_at IS NOT NULL),
      (SELECT min(credited_at) FROM sales WHERE program_id = ${programId} AND credited_at IS NOT NULL)),
    ${new Date(at.getTime() - LAG_MS)}::timestamptz) - interval '1 second', '1970-01-01'
  WHERE NOT EXISTS (SELECT FROM roll_ups WHERE program_id = ${programId})
  ON CONFLICT DO NOTHING`.execute(tx)

const endOfStep = async (tx: Tx, programId: number, { after, target }: { after: Date; target: Date }) => {
  const nth = (table: string, time: string, rows: number) => sql`(
    SELECT ${sql.raw(time)} FROM ${sql.raw(table)} WHERE program_id = ${programId} AND ${sql.raw(time)} > ${after}
    ORDER BY ${sql.raw(time)} OFFSET ${rows} LIMIT 1)`
  const { rows } = await sql<{ until: Date }>`
    SELECT least(${target}::timestamptz, ${nth('click_events', 'clicked_at', CLICKS_A_STEP)},
      ${nth('leads', 'settled_at', OTHERS_A_STEP)}, ${nth('sales', 'credited_at', OTHERS_A_STEP)}) AS until`.execute(tx)
  return rows[0]?.until ?? target
}

/** A value that is known on that day stays itself; new ones do too while there is room, the most frequent first. */
const addCounts = (tx: Tx, span: Span, onDay: string | null = null) =>
  sql`
  WITH part AS (
    SELECT dimension, day, value, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales FROM (
      -- Most clicks look like many others; what is the same is taken apart once.
      SELECT day, country, device, browser, operating_system, referrer_url, page_url,
        sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales
      FROM (${countedFacts(span)}) fact WHERE ${onDay}::date IS NULL OR (day = ${onDay}::date AND clicks = 1)
      GROUP BY day, country, device, browser, operating_system, referrer_url, page_url) click
    CROSS JOIN LATERAL ${everyDimension}
    GROUP BY dimension, day, value
  ), size AS (
    SELECT dimension, day, count(*) AS known FROM daily_breakdowns
    WHERE program_id = ${span.programId} AND (dimension, day) IN (SELECT dimension, day FROM part) GROUP BY dimension, day
  ), named AS (
    SELECT part.*, CASE WHEN stored.value IS NOT NULL OR coalesce(size.known, 0) + row_number() OVER (
        PARTITION BY part.dimension, part.day, stored.value IS NULL ORDER BY part.clicks DESC, part.value) <= ${VALUES_A_DAY}
      THEN part.value ELSE '(other)' END AS name
    FROM part
    LEFT JOIN daily_breakdowns stored ON stored.program_id = ${span.programId} AND stored.dimension = part.dimension
      AND stored.day = part.day AND stored.value = part.value
    LEFT JOIN size ON size.dimension = part.dimension AND size.day = part.day
  )
  INSERT INTO daily_breakdowns (program_id, dimension, day, value, clicks, leads, sales)
  SELECT ${span.programId}, dimension, day, name, sum(clicks), sum(leads), sum(sales) FROM named GROUP BY dimension, day, name
  ON CONFLICT (program_id, dimension, day, value) DO UPDATE SET clicks = daily_breakdowns.clicks + excluded.clicks,
    leads = daily_breakdowns.leads + excluded.leads, sales = daily_breakdowns.sales + excluded.sales`.execute(tx)

/** After the counts: money goes where its sale was counted. */
const addMoney = (tx: Tx, span: Span) =>
  sql`
  INSERT INTO daily_money (program_id, dimension, day, value, currency, revenue_cents, commission_cents)
  SELECT ${span.programId}, dimension, day, value, currency, sum(revenue_cents), sum(commission_cents) FROM (
    SELECT 'link' AS dimension, day, link_id::text AS value, currency, revenue_cents, commission_cents FROM (${moneyByLink(span)}) linked
    UNION ALL
    SELECT broken.dimension, click.day, coalesce(stored.value, '(other)'), currency, revenue_cents, commission_cents
    FROM (${moneyByClick(span)}) click CROSS JOIN LATERAL ${everyDimension}
    LEFT JOIN daily_breakdowns stored ON stored.program_id = ${span.programId} AND stored.dimension = broken.dimension
      AND stored.day = click.day AND stored.value = broken.value) money
  GROUP BY dimension, day, value, currency
  ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET
    revenue_cents = daily_money.revenue_cents + excluded.revenue_cents,
    commission_cents = daily_money.commission_cents + excluded.commission_cents`.execute(tx)

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
    await addCounts(tx, { programId: program.id, after, until: end }, day)
  }
  const { rows: days } = await sql<{ day: string }>`SELECT greatest(${checkedDay}::date, ${closed}) AS day`.execute(tx)
  return days[0]?.day ?? checkedDay
}
