import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

/** The calendar day of a moment in a time zone, by the clock-maker who also says it for clicks: two would differ some day. */
export const dayIn = async (db: Database | Tx, timezone: string, at: Date): Promise<string> => {
  const { rows } = await sql<{
    day: string
  }>`SELECT (${at}::timestamptz AT TIME ZONE ${timezone})::date AS day`.execute(db)
  return rows[0]?.day ?? ''
}
