import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'

/** The calendar day of a moment in a time zone, by the clock-maker who also says it for clicks: two would differ some day. */
export const dayIn = async (db: Database | Tx, timezone: string, at: Date): Promise<string> => {
  const { rows } = await sql<{
    day: string
  }>`SELECT (${at}::timestamptz AT TIME ZONE ${timezone})::date AS day`.execute(db)
  return rows[0]?.day ?? ''
}

const DAY_MS = 86_400_000

/** Dates without time zones: both are taken for UTC, so no day is short. */
export const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS

export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** A date alone is a day of that time zone: from its first moment, and up to its last. */
export const boundary = (text: string, timezone: string, days: number): RawBuilder<Date> =>
  /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? sql`((${text}::date + ${days}::integer)::timestamp AT TIME ZONE ${timezone})`
    : sql`${new Date(text)}::timestamptz`

/** The moments at which asked days begin and end, for rooms that know no days. */
export const momentsOf = async (
  db: Database,
  timezone: string,
  { dateFrom, dateTo }: { dateFrom?: string; dateTo?: string },
) => {
  if (!dateFrom && !dateTo) return { from: null, before: null }
  const { rows } = await sql<{ from: Date | null; before: Date | null }>`SELECT
    ${dateFrom ? boundary(dateFrom, timezone, 0) : sql`NULL::timestamptz`} AS "from",
    ${dateTo ? boundary(dateTo, timezone, 1) : sql`NULL::timestamptz`} AS before`.execute(db)
  return rows[0] ?? { from: null, before: null }
}
