import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'

/** The calendar day in a time zone. Asks Postgres, which also assigns clicks their day, because two databases could disagree. */
export const dayIn = async (db: Database | Tx, timezone: string, at: Date): Promise<string> => {
  const { rows } = await sql<{
    day: string
  }>`SELECT (${at}::timestamptz AT TIME ZONE ${timezone})::date AS day`.execute(db)
  return rows[0]?.day ?? ''
}

const DAY_MS = 86_400_000

/** Dates without time zones, treated as UTC so that every day has 24 hours. */
export const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS

export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** A date without a time means that day in the program's time zone, from its start to its end. */
export const boundary = (text: string, timezone: string, days: number): RawBuilder<Date> =>
  /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? sql`((${text}::date + ${days}::integer)::timestamp AT TIME ZONE ${timezone})`
    : sql`${new Date(text)}::timestamptz`

/** Start and end timestamps of a date range, for modules that work with timestamps. */
export const readDateRange = async (
  db: Database | Tx,
  timezone: string,
  { dateFrom, dateTo }: { dateFrom?: string; dateTo?: string },
) => {
  if (!dateFrom && !dateTo) return { from: null, before: null }
  const { rows } = await sql<{ from: Date | null; before: Date | null }>`SELECT
    ${dateFrom ? boundary(dateFrom, timezone, 0) : sql`NULL::timestamptz`} AS "from",
    ${dateTo ? boundary(dateTo, timezone, 1) : sql`NULL::timestamptz`} AS before`.execute(db)
  return rows[0] ?? { from: null, before: null }
}
