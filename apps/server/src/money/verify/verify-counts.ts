import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

type Cell = {
  linkId: number
  partnerId: number
  day: string
  clicks: number
  countedClicks: number
  sameLastClick: boolean
  /** Retention may have deleted some of its clicks. */
  mayBeDropped: boolean
}

/**
 * Recounts clicks by link, partner and day. For days past the retention period (database/schema/retention.ts), it only checks that the
 * stored count is not lower than the clicks that remain.
 */
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
  const cell = `of link ${linkId}, partner ${partnerId} on ${day}`
  const isCorrect = mayBeDropped ? countedClicks >= clicks : countedClicks === clicks
  return [
    ...(isCorrect ? [] : [`clicks ${cell}: counted ${countedClicks}, expected ${clicks}`]),
    ...(sameLastClick || mayBeDropped ? [] : [`last click ${cell}: the stored time is wrong`]),
  ]
}
