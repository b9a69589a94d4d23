import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

type Cell = {
  linkId: number
  partnerId: number
  day: string
  clicks: number
  countedClicks: number
  sameLastClick: boolean
  /** Some of its clicks may be older than those that are kept. */
  mayBeDropped: boolean
}

/** Recounts the clicks of a program by link, partner and day. Of days whose clicks were dropped (database/schema/retention.ts) it can only
 * say that they were not fewer than are left. */
export const verifyCounts = async (
  tx: Tx,
  { programId, found }: { programId: number; found: (difference: string) => void },
) => {
  const { rows } = await sql<Cell>`
    SELECT link_id, partner_id, day, coalesce(event.clicks, 0)::bigint AS clicks, coalesce(counted.clicks, 0)::bigint AS counted_clicks,
      event.last_clicked_at IS NOT DISTINCT FROM counted.last_clicked_at AS same_last_click,
      coalesce(day::timestamp AT TIME ZONE (SELECT timezone FROM programs WHERE id = ${programId})
        < (SELECT kept_since FROM click_retention), false) AS may_be_dropped
    FROM (
      SELECT link_id, partner_id, day, count(*) AS clicks, max(clicked_at) AS last_clicked_at FROM click_events
      WHERE program_id = ${programId} AND device IS DISTINCT FROM 'bot' GROUP BY link_id, partner_id, day) event
    FULL JOIN (
      SELECT link_id, partner_id, day, sum(clicks) AS clicks, max(last_clicked_at) AS last_clicked_at
      FROM daily_counts WHERE program_id = ${programId} GROUP BY link_id, partner_id, day) counted
    USING (link_id, partner_id, day)
    WHERE (event.clicks, event.last_clicked_at) IS DISTINCT FROM (counted.clicks, counted.last_clicked_at)
    ORDER BY day, link_id, partner_id`.execute(tx)
  for (const cell of rows) for (const difference of differencesOf(cell)) found(difference)
}

const differencesOf = ({ linkId, partnerId, day, clicks, countedClicks, sameLastClick, mayBeDropped }: Cell) => {
  const place = `of link ${linkId}, partner ${partnerId} on ${day}`
  const isRight = mayBeDropped ? countedClicks >= clicks : countedClicks === clicks
  return [
    ...(isRight ? [] : [`clicks ${place} are counted as ${countedClicks} and there are ${clicks}`]),
    ...(sameLastClick || mayBeDropped ? [] : [`the last click ${place} is not the one that is counted`]),
  ]
}
