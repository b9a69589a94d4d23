import { type RawBuilder, sql } from 'kysely'

/** Nobody counts more than this one by one. */
const MOST_RECENT = 10_000
/** Crawlers are in no count, and some sites have more of them than of people. */
const MOST_CRAWLERS = 2_000

type Of = { programId: number; partnerId?: number; linkId?: number }

/** All clicks there are, crawlers included, without walking through them: total, and cut where there are more. */
export const countClicks = ({ programId, partnerId, linkId }: Of): RawBuilder<unknown> => {
  const isOfAll = !partnerId && !linkId
  const of = sql`${partnerId ? sql`AND partner_id = ${partnerId}` : sql``} ${linkId ? sql`AND link_id = ${linkId}` : sql``}`
  return sql`
    SELECT (people.total + crawlers.total)::bigint AS total, people.cut OR crawlers.cut AS cut FROM
      (${isOfAll ? peopleOfAll(programId) : sql`SELECT coalesce(sum(clicks), 0) AS total, false AS cut FROM daily_counts WHERE program_id = ${programId} ${of}`}) people,
      (SELECT count(*) FILTER (WHERE true ${of}) AS total, count(*) >= ${MOST_CRAWLERS} AS cut FROM (
        SELECT partner_id, link_id FROM click_events WHERE program_id = ${programId} AND device = 'bot'
        ORDER BY clicked_at DESC LIMIT ${MOST_CRAWLERS}) crawler) crawlers`
}

/** What is rolled up has a few rows a day, where the counts have one for every link; what came since is counted. */
const peopleOfAll = (programId: number) => sql`
  SELECT coalesce(CASE WHEN until IS NULL THEN (SELECT sum(clicks) FROM daily_counts WHERE program_id = ${programId})
    ELSE (SELECT sum(clicks) FROM daily_breakdowns WHERE program_id = ${programId} AND dimension = 'device') END, 0) + recent.total AS total,
    recent.total >= ${MOST_RECENT} AS cut
  FROM (SELECT max(counted_until) AS until FROM roll_ups WHERE program_id = ${programId}) mark
  CROSS JOIN LATERAL (SELECT count(*) AS total FROM (
    SELECT FROM click_events WHERE program_id = ${programId} AND clicked_at > until AND device IS DISTINCT FROM 'bot'
    LIMIT ${MOST_RECENT}) click) recent`
