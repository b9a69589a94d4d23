import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { inLongTransaction } from '../../database/transaction.ts'
import { findDue } from './due.ts'
import { findSchedule } from './schedules.ts'

type Key = { programId: number; partnerId: number; timezone: string; at: Date }

/** The next scheduled payout, with what it would pay this partner as things stand; null without a schedule. */
export const findNextPayout = async (db: Database, { timezone, at, ...key }: Key) => {
  const { nextOn } = await findSchedule(db, { programId: key.programId, at })
  if (nextOn === null) return null
  const { rows } = await sql<{
    start: Date
  }>`SELECT ${nextOn}::date::timestamp AT TIME ZONE ${timezone} AS start`.execute(db)
  const due = await inLongTransaction(db, (tx) => findDue(tx, { ...key, at: rows[0]?.start ?? at }))
  return { on: nextOn, amounts: due.map(({ currency, amountCents }) => ({ currency, amountCents })) }
}
