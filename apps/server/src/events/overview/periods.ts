import type { PeriodQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Program } from '../../programs/programs.ts'
import { addDays, dayIn, daysBetween } from './days.ts'

const DAYS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const

export type Days = { firstDay: string; lastDay: string }

export const within = ({ firstDay, lastDay }: Days) => sql`day BETWEEN ${firstDay}::date AND ${lastDay}::date`

/**
 * The requested days in the program's time zone and the same number before them (none for `all`). `today` and later days are
 * still changing.
 */
export const daysOf = async (
  db: Database,
  { program, query, at }: { program: Program; query: PeriodQuery; at: Date },
): Promise<Days & { previous: Days | null; today: string }> => {
  const { today, lastDay } = await latestDays(db, { program, at })
  if (query.dateFrom) return { ...withPrevious({ firstDay: query.dateFrom, lastDay: query.dateTo ?? lastDay }), today }
  if (query.period === 'all') return { firstDay: await firstCountedDay(db, program), lastDay, previous: null, today }
  return { ...withPrevious({ firstDay: addDays(lastDay, 1 - DAYS[query.period]), lastDay }), today }
}

/**
 * After moving west, a program can have events on dates it has not reached yet, so periods extend to them. They are capped at the
 * latest date anywhere on Earth, because a clock may have been years ahead.
 */
const latestDays = async (db: Database, { program, at }: { program: Program; at: Date }) => {
  const { rows } = await sql<{ today: string; lastDay: string }>`
    SELECT today, greatest(today, ${sql.join(
      EVENTS.map(
        (of) => sql`(
      SELECT max(day) FROM ${of(program.id)} AND day > today AND day <= anywhere)`,
      ),
    )}) AS last_day
    FROM (SELECT (${at}::timestamptz AT TIME ZONE ${program.timezone})::date AS today,
      (${at}::timestamptz AT TIME ZONE 'Pacific/Kiritimati')::date AS anywhere) one`.execute(db)
  return rows[0] ?? { today: '', lastDay: '' }
}

const withPrevious = ({ firstDay, lastDay }: Days) => {
  const length = Math.max(1, daysBetween(firstDay, lastDay) + 1)
  return {
    firstDay,
    lastDay,
    previous: { firstDay: addDays(firstDay, -length), lastDay: addDays(firstDay, -1) },
  }
}

const firstCountedDay = async (db: Database, program: Program) => {
  const { rows } = await sql<{ day: string | null }>`
    SELECT least(${sql.join(EVENTS.map((of) => sql`(SELECT min(day) FROM ${of(program.id)})`))}) AS day`.execute(db)
  const created = await dayIn(db, program.timezone, program.createdAt)
  const counted = rows[0]?.day
  return counted && counted < created ? counted : created
}

/** The tables that count events, each with an index by day. */
const EVENTS = [
  (programId: number) => sql`daily_counts WHERE program_id = ${programId}`,
  (programId: number) => sql`leads WHERE program_id = ${programId} AND settled_at IS NOT NULL`,
  (programId: number) => sql`sales WHERE program_id = ${programId} AND credit_source IS NOT NULL AND voided_at IS NULL`,
]
