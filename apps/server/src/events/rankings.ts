import type { BreakdownQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { addDays } from './days.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { countsAsOf, firstSummed, moneyOfLinks } from './period-sums.ts'
import type { Days } from './periods.ts'
import { isNear, type Mark, markOf } from './roll-up-marks.ts'

/** As many as anybody may ask for, and those that are read beyond (ranked.ts). */
const RANKED = 150
/** So many days beside the sums are still added quickly. */
const MOST_DAYS_BESIDE = 4

export type Kind = 'partner' | 'link'
export type Ranking = Days & { programId: number; kind: Kind; sort: BreakdownQuery['sort']; days: number }

type ToMake = Ranking & { at: Date }

/** Those with most in a period, as of the watermark. Says whether the sums of periods were far enough for that. */
export const makeRanking = (db: Database, toMake: ToMake): Promise<boolean> =>
  inTransaction(db, (tx) => make(tx, toMake, markOf(tx, toMake.programId)))

const renewalOf = oneAtATime()

/** The same for nobody who waits: where others make it, or change what is counted, it is left to the next who ask. */
export const renewRanking = (db: Database, toMake: ToMake): void => {
  const { programId, kind, sort, days } = toMake
  const renewed = renewalOf(db, [programId, kind, sort, days].join(' '), () =>
    inTransaction(db, (tx) => make(tx, toMake, markOf(tx, programId).skipLocked())),
  )
  // What is wrong is heard by those who need it made.
  renewed.catch(() => {})
}

/** Nobody may change what is counted already between our reading and our writing, so we hold the mark (recount.ts). */
const make = async (tx: Tx, { at, ...ranking }: ToMake, held: ReturnType<typeof markOf>): Promise<boolean> => {
  const { programId, kind, sort, days, firstDay, lastDay } = ranking
  const mark = await held.executeTakeFirst()
  if (!mark || !isNear(mark.countedUntil, at) || !isWithinReach(mark, ranking)) return false
  const until = mark.countedUntil
  // Others have asked at the same time, and one was the first.
  const made = await tx
    .selectFrom('rankings')
    .select('kind')
    .where((e) => e.and({ programId, kind, sort, days, firstDay, lastDay, countedUntil: until }))
    .executeTakeFirst()
  if (made) return true
  await sql`
      INSERT INTO rankings (program_id, kind, sort, days, first_day, last_day, counted_until, entries)
      SELECT ${programId}, ${kind}, ${sort}, ${days}, ${firstDay}::date, ${lastDay}::date, ${until}::timestamptz, (${entriesOf(ranking, mark)})
      ON CONFLICT (program_id, kind, sort, days) DO UPDATE SET first_day = excluded.first_day, last_day = excluded.last_day,
        counted_until = excluded.counted_until, entries = excluded.entries`.execute(tx)
  return true
}

/** What was counted before has changed. */
export const forgetRankings = (tx: Tx, programId: number) =>
  tx.deleteFrom('rankings').where('programId', '=', programId).execute()

const isWithinReach = ({ summedDay }: Mark, { days, firstDay, lastDay }: Ranking) =>
  summedDay !== null &&
  lastDay >= summedDay &&
  lastDay <= addDays(summedDay, MOST_DAYS_BESIDE) &&
  (days === 0 || firstDay >= firstSummed(days, summedDay))

const entriesOf = (ranking: Ranking, mark: Mark) => {
  const { programId, kind, sort, days, firstDay, lastDay } = ranking
  const summedDay = mark.summedDay ?? ''
  const since = { firstDay: addDays(summedDay, 1), lastDay }
  // Between midnight and the closing of the day before, the period has left a day that is in its sum.
  const left = days === 0 ? null : { firstDay: firstSummed(days, summedDay), lastDay: addDays(firstDay, -1) }
  const hasLeft = left !== null && left.firstDay <= left.lastDay
  const moment = { programId, until: mark.countedUntil }
  const gone = (rows: (days: Days) => unknown, columns: string) =>
    hasLeft ? sql`UNION ALL SELECT ${sql.raw(columns)} FROM (${rows(left)}) gone` : sql``
  const counts = (range: Days) => countsAsOf(moment, range)
  const money = (range: Days) => moneyOfLinks(programId, range)
  return sql`
    WITH counted AS (
      SELECT ${sql.ref(`${kind}_id`)} AS id, sum(clicks)::bigint AS clicks, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales FROM (
        SELECT link_id, partner_id, NULL::date AS day, clicks, leads, sales FROM period_counts WHERE program_id = ${programId} AND days = ${days}
        UNION ALL ${counts(since)}
        ${gone(counts, 'link_id, partner_id, day, -clicks, -leads, -sales')}) every
      GROUP BY 1 HAVING sum(clicks) > 0 OR sum(leads) > 0 OR sum(sales) > 0
    ), top AS (SELECT * FROM counted ORDER BY ${sql.ref(sort)} DESC, clicks DESC, id::text LIMIT ${RANKED}
    ), money AS MATERIALIZED (
      SELECT top.id, currency, sum(revenue_cents)::bigint AS revenue_cents, sum(commission_cents)::bigint AS commission_cents
      FROM top JOIN referral_links link ON link.program_id = ${programId} AND ${kind === 'link' ? sql`link.id` : sql`link.partner_id`} = top.id
      JOIN (
        SELECT link_id, currency, revenue_cents, commission_cents FROM period_money WHERE program_id = ${programId} AND days = ${days}
        UNION ALL ${money(since)}
        ${gone(money, 'link_id, currency, -revenue_cents, -commission_cents')}) every ON every.link_id = link.id
      GROUP BY top.id, currency)
    SELECT coalesce(jsonb_agg(jsonb_build_array(id, clicks, leads, sales, (
        SELECT coalesce(jsonb_agg(jsonb_build_array(currency, revenue_cents, commission_cents)), '[]') FROM money WHERE money.id = top.id))
      ORDER BY ${sql.ref(sort)} DESC, clicks DESC, id::text), '[]') FROM top`
}
