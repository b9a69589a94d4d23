import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { addDays } from './days.ts'
import { countedByLink, MOST_RECENT } from './facts.ts'
import { countsAsOf } from './period-sums.ts'
import type { Days } from './periods.ts'
import { FEW_ROWS, type Mark, markOf } from './roll-up-marks.ts'

/** Whoever is further behind has other worries. */
const MOST_OPEN = 4

type Count = { date: string; clicks: number; leads: number; sales: number }
type Open = Days & { programId: number }

/**
 * The counts of the days after `checkedDay`, whose sums over thousands of links are kept as they stood at the watermark; what
 * came since is added. Null where there are few links, or where that cannot be said: then the counts themselves are to be read.
 */
export const countsOfOpenDays = async (
  db: Database,
  { programId, mark, lastDay }: { programId: number; mark: Mark; lastDay: string },
): Promise<Map<string, Count> | null> => {
  const open = { programId, firstDay: addDays(mark.checkedDay, 1), lastDay }
  if (mark.rowsLately <= FEW_ROWS || lastDay < open.firstDay || lastDay > addDays(mark.checkedDay, MOST_OPEN))
    return null
  let found = await find(db, open)
  if (!found.isCut && !found.isWhole && (await keep(db, open))) found = await find(db, open)
  return found.isWhole && !found.isCut ? new Map(found.counts.map((count) => [count.date, count])) : null
}

const find = async (db: Database, { programId, firstDay, lastDay }: Open) => {
  const within = sql`day BETWEEN ${firstDay}::date AND ${lastDay}::date`
  const until = sql`(SELECT counted_until FROM roll_ups WHERE program_id = ${programId})`
  const since = { programId, after: until, until: sql`'infinity'` }
  const { rows } = await sql<Count & { isKept: boolean; isCut: boolean }>`
    WITH recent AS MATERIALIZED (${countedByLink(since, MOST_RECENT)})
    SELECT to_char(day, 'YYYY-MM-DD') AS date, sum(clicks)::bigint AS clicks, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales,
      bool_or(kept) AS is_kept, (SELECT coalesce(sum(clicks), 0) >= ${MOST_RECENT} FROM recent) AS is_cut
    FROM (
      SELECT day, clicks, leads, sales, true AS kept FROM open_days
      WHERE program_id = ${programId} AND ${within} AND counted_until = ${until}
      UNION ALL
      SELECT day, clicks, leads, sales, false FROM recent WHERE ${within}) every
    GROUP BY day`.execute(db)
  return {
    counts: rows.map(({ date, clicks, leads, sales }) => ({ date, clicks, leads, sales })),
    isCut: rows.some(({ isCut }) => isCut),
    isWhole: addDays(firstDay, rows.length - 1) === lastDay && rows.every(({ isKept }) => isKept),
  }
}

const keep = (db: Database, open: Open) =>
  inTransaction(db, async (tx) => {
    const { programId, firstDay, lastDay } = open
    const mark = await markOf(tx, programId).executeTakeFirst()
    if (!mark) return false
    // Others have asked at the same time, and one was the first.
    const kept = await tx
      .selectFrom('openDays')
      .select('day')
      .where('programId', '=', programId)
      .where('countedUntil', '=', mark.countedUntil)
      .where('day', '=', lastDay)
      .executeTakeFirst()
    if (kept) return true
    await forgetOpenDays(tx, programId)
    await sql`
      INSERT INTO open_days (program_id, day, clicks, leads, sales, counted_until)
      SELECT ${programId}, day, coalesce(sum(clicks), 0), coalesce(sum(leads), 0), coalesce(sum(sales), 0), ${mark.countedUntil}::timestamptz
      FROM (SELECT day::date FROM generate_series(${firstDay}::date, ${lastDay}::date, interval '1 day') day) calendar
      LEFT JOIN (${countsAsOf({ programId, until: mark.countedUntil }, open)}) counted USING (day) GROUP BY day`.execute(
      tx,
    )
    return true
  })

/** What was counted before has changed. */
export const forgetOpenDays = (tx: Tx, programId: number) =>
  tx.deleteFrom('openDays').where('programId', '=', programId).execute()
