import { type RawBuilder, sql } from 'kysely'
import type { Program } from '../programs/programs.ts'

/** Nobody counts more than this one by one. */
const MOST_RECENT = 10_000
/** Crawlers are in no count, and some sites have more of them than of people. */
const MOST_CRAWLERS = 2_000

type Of = { program: Program; partnerId?: number; linkId?: number }

/** All clicks that are kept, crawlers included, without walking through them: total, and cut where there are more. */
export const countClicks = ({ program: { id, timezone }, partnerId, linkId }: Of): RawBuilder<unknown> => {
  const theirs = sql`${partnerId ? sql`AND partner_id = ${partnerId}` : sql``} ${linkId ? sql`AND link_id = ${linkId}` : sql``}`
  const counted = partnerId || linkId ? ofCounts(id, theirs) : ofAll(id)
  return sql`
    SELECT (people.total + remainder.total + crawlers.total)::bigint AS total, people.cut OR crawlers.cut AS cut
    FROM (SELECT since, (since AT TIME ZONE ${timezone})::date AS day FROM (SELECT (SELECT kept_since FROM click_retention) AS since) one) kept
    CROSS JOIN LATERAL (${counted}) people
    -- What is left of the last day that lost some (database/retention.ts) is counted one by one.
    CROSS JOIN LATERAL (
      SELECT count(*) AS total FROM click_events WHERE program_id = ${id} AND device IS DISTINCT FROM 'bot' ${theirs}
        AND clicked_at < coalesce(kept.since, '-infinity') + interval '2 days' AND click_events.day <= kept.day) remainder
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE true ${theirs}) AS total, count(*) >= ${MOST_CRAWLERS} AS cut FROM (
        SELECT partner_id, link_id FROM click_events WHERE program_id = ${id} AND device = 'bot'
        ORDER BY clicked_at DESC LIMIT ${MOST_CRAWLERS}) crawler) crawlers`
}

const isKept = sql`(kept.day IS NULL OR counted.day > kept.day)`

const ofCounts = (programId: number, theirs: RawBuilder<unknown>) => sql`
  SELECT coalesce(sum(clicks), 0) AS total, false AS cut FROM daily_counts counted WHERE program_id = ${programId} AND ${isKept} ${theirs}`

/** What is rolled up has a few rows a day, where the counts have one for every link; what came since is counted. */
const ofAll = (programId: number) => sql`
  SELECT coalesce(CASE WHEN until IS NULL
      THEN (SELECT sum(clicks) FROM daily_counts counted WHERE program_id = ${programId} AND ${isKept})
      ELSE (SELECT sum(clicks) FROM daily_breakdowns counted WHERE program_id = ${programId} AND dimension = 'device' AND ${isKept})
    END, 0) + recent.total AS total, recent.total >= ${MOST_RECENT} AS cut
  FROM (SELECT max(counted_until) AS until FROM roll_ups WHERE program_id = ${programId}) mark
  CROSS JOIN LATERAL (SELECT count(*) AS total FROM (
    SELECT FROM click_events WHERE program_id = ${programId} AND clicked_at > until AND device IS DISTINCT FROM 'bot'
    LIMIT ${MOST_RECENT}) click) recent`
