import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { runEach } from '../../database/run-each.ts'
import { inTransaction } from '../../database/transaction.ts'
import { readPerformance } from '../../events/overview/performance.ts'
import { findProgram } from '../../programs/programs.ts'
import { DEFAULT_FREQUENCY, notify } from '../notify.ts'

/** Per run; the next run continues. */
const MAX_SUMMARIES = 200

type Due = {
  programId: number
  partnerId: number
  frequency: 'weekly' | 'monthly'
  firstDay: string
  lastDay: string
  subject: string
}

/** The last whole week or month, in the program's time zone. Partners who joined later have nothing to read about it. */
const findDue = async (db: Database, at: Date) => {
  const { rows } = await sql<Due>`
    SELECT DISTINCT due.* FROM partner_users holder
    JOIN partners partner ON (partner.program_id, partner.id) = (holder.program_id, holder.partner_id)
    JOIN programs program ON program.id = partner.program_id
    LEFT JOIN notification_preferences choice ON choice.program_id = holder.program_id AND choice.user_id = holder.user_id
      AND choice.kind = 'summary'
    CROSS JOIN LATERAL (SELECT coalesce(choice.frequency, ${DEFAULT_FREQUENCY}) AS frequency,
      date_trunc(CASE coalesce(choice.frequency, ${DEFAULT_FREQUENCY}) WHEN 'weekly' THEN 'week' ELSE 'month' END,
        ${at}::timestamptz AT TIME ZONE program.timezone)::date AS next_day) period
    CROSS JOIN LATERAL (SELECT program.id AS program_id, partner.id AS partner_id, period.frequency,
      (period.next_day - CASE period.frequency WHEN 'weekly' THEN interval '7 days' ELSE interval '1 month' END)::date AS first_day,
      period.next_day - 1 AS last_day, format('partner %s %s %s', partner.id, period.frequency, period.next_day) AS subject) due
    WHERE period.frequency <> 'off' AND partner.status = 'approved' AND NOT partner.archived
      AND holder.created_at < period.next_day::timestamp AT TIME ZONE program.timezone
      AND NOT EXISTS (SELECT FROM notifications sent
        WHERE sent.program_id = program.id AND sent.kind = 'summary' AND sent.subject = due.subject)
    LIMIT ${sql.lit(MAX_SUMMARIES)}`.execute(db)
  return rows
}

/** A period without events is recorded without recipients, so that it is not counted again. */
export const sendSummaries = async (db: Database, at: Date) =>
  runEach(await findDue(db, at), async ({ programId, partnerId, subject, ...period }) => {
    const program = await findProgram(db, programId)
    if (!program) return
    const query = { period: '30d', dateFrom: period.firstDay, dateTo: period.lastDay } as const
    const { totals } = await readPerformance(db, { program, query, at, partnerId })
    const { clicks, leads, sales, commissions } = totals
    const isQuiet = clicks + leads + sales === 0 && commissions.length === 0
    await inTransaction(db, (tx) =>
      notify(tx, {
        programId,
        kind: 'summary',
        subject,
        partnerIds: isQuiet ? [] : [partnerId],
        at,
        frequency: period.frequency,
        details: { ...period, clicks, leads, sales, commissions },
      }),
    )
  })
