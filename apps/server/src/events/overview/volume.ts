import { MAX_LIVE_EVENTS, type PeriodQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Program } from '../../programs/programs.ts'
import { daysOf, within } from './periods.ts'

/**
 * Whether a period has so many events that its reports may be kept. Counts what is rolled up, a few rows per day: recent events
 * can only be more.
 */
export const hasManyEvents = async (
  db: Database,
  { program, query, at }: { program: Program; query: PeriodQuery; at: Date },
) => {
  const days = await daysOf(db, { program, query, at })
  const { rows } = await sql<{ events: number }>`
    SELECT coalesce(sum(clicks + leads + sales), 0)::bigint AS events FROM daily_breakdowns
    WHERE program_id = ${program.id} AND dimension = 'device' AND ${within(days)}`.execute(db)
  return (rows[0]?.events ?? 0) > MAX_LIVE_EVENTS
}
