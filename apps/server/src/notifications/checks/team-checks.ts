import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { notify } from '../notify.ts'

/** How long a connection or a script that was in regular use must be silent. */
export const SILENT_DAYS = 7
export const CLICKLESS_DAYS = 3

/** Commissions in review: at most once a day, and only if there are new ones. */
export const checkReviews = async (db: Database, at: Date) => {
  const { rows } = await sql<{ programId: number; count: number; day: string }>`
    SELECT review.program_id, count(*) AS count, (${at}::timestamptz AT TIME ZONE program.timezone)::date AS day
    FROM commission_reviews review JOIN programs program ON program.id = review.program_id
    WHERE review.decision IS NULL GROUP BY review.program_id, program.timezone
    HAVING max(review.opened_at) > coalesce((
      SELECT max(earlier.created_at) FROM notifications earlier
      WHERE earlier.program_id = review.program_id AND earlier.kind = 'review_waiting'), '-infinity')`.execute(db)
  for (const { programId, count, day } of rows)
    await inTransaction(db, (tx) =>
      notify(tx, { programId, kind: 'review_waiting', subject: day, details: { count }, at }),
    )
}

/**
 * A connected processor that sent at least ten events in four weeks, then none for a week. Programs with few payments would get
 * false alarms. Each silence is announced once.
 */
export const checkConnections = async (db: Database, at: Date) => {
  const { rows } = await sql<{ programId: number; lastAt: Date }>`
    SELECT connection.program_id, recent.last_at
    FROM processor_connections connection
    JOIN programs program ON program.id = connection.program_id AND program.payment_tracking_mode = 'processor_connect'
    JOIN processor_home_programs inbox ON inbox.workspace_id = program.workspace_id
    CROSS JOIN LATERAL (
      SELECT max(event.received_at) AS last_at, min(event.received_at) AS first_at, count(*) AS events FROM (
        SELECT received_at FROM processor_events
        WHERE program_id = inbox.program_id AND processor = connection.processor ORDER BY created_at DESC LIMIT 10) event) recent
    WHERE connection.status = 'connected' AND recent.events = 10 AND recent.first_at > recent.last_at - interval '28 days'
      AND recent.last_at BETWEEN ${at}::timestamptz - interval '60 days'
        AND ${at}::timestamptz - make_interval(days => ${SILENT_DAYS})`.execute(db)
  for (const { programId, lastAt } of rows) {
    const since = lastAt.toISOString()
    const details = { days: SILENT_DAYS, lastAt: since }
    await inTransaction(db, (tx) =>
      notify(tx, { programId, kind: 'connection_silent', subject: `since ${since}`, details, at }),
    )
  }
}

/** Links that were clicked on at least seven of fourteen days, then not at all. Each interruption is announced once. */
export const checkClicks = async (db: Database, at: Date) => {
  const { rows } = await sql<{ programId: number; lastDay: string }>`
    SELECT program.id AS program_id, latest.day AS last_day
    FROM programs program
    CROSS JOIN LATERAL (SELECT (${at}::timestamptz AT TIME ZONE program.timezone)::date AS day) today
    CROSS JOIN LATERAL (SELECT max(day) AS day FROM daily_counts WHERE program_id = program.id) latest
    WHERE latest.day BETWEEN today.day - 30 AND today.day - ${CLICKLESS_DAYS}::integer
      AND (SELECT count(DISTINCT counted.day) FROM daily_counts counted
        WHERE counted.program_id = program.id AND counted.day > latest.day - 14) >= 7`.execute(db)
  for (const { programId, lastDay } of rows)
    await inTransaction(db, (tx) =>
      notify(tx, { programId, kind: 'clicks_stopped', subject: `since ${lastDay}`, details: { lastDay }, at }),
    )
}
