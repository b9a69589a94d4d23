import type { PayoutScheduleRequest } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'

type Program = { programId: number; at: Date }
type Found = ScheduleDays & { today: string }

const OFF = { frequency: 'off', day: null, weekday: null, nextOn: null } as const

const findRow = async (db: Database | Tx, { programId, at }: Program) => {
  const { rows } = await sql<Found>`
    SELECT schedule.frequency, schedule.day, schedule.weekday, (${at}::timestamptz AT TIME ZONE program.timezone)::date AS today
    FROM payout_schedules schedule JOIN programs program ON program.id = schedule.program_id
    WHERE schedule.program_id = ${programId}`.execute(db)
  return rows[0]
}

export const findSchedule = async (db: Database | Tx, program: Program) => {
  const found = await findRow(db, program)
  if (!found) return OFF
  const { today, ...schedule } = found
  return { ...schedule, nextOn: nextScheduled(schedule, today) }
}

const daysOf = ({ frequency, day = null, weekday = null }: PayoutScheduleRequest): ScheduleDays | null => {
  if (frequency === 'off') return null
  return frequency === 'weekly' ? { frequency, day: null, weekday } : { frequency, day, weekday: null }
}

/** The first draft is prepared on the next scheduled day, even if today is one. */
export const changeSchedule = async (
  tx: Tx,
  { programId, at, request, timezone }: Program & { request: PayoutScheduleRequest; timezone: string },
) => {
  // Serializes changes of one schedule, and with the job that prepares drafts.
  await sql`SELECT FROM payout_schedules WHERE program_id = ${programId} FOR UPDATE`.execute(tx)
  const before = await findSchedule(tx, { programId, at })
  const schedule = daysOf(request)
  if (!schedule) await tx.deleteFrom('payoutSchedules').where('programId', '=', programId).execute()
  else {
    const { rows } = await sql<{
      today: string
    }>`SELECT (${at}::timestamptz AT TIME ZONE ${timezone})::date AS today`.execute(tx)
    const row = { ...schedule, lastPeriod: latestScheduled(schedule, rows[0]?.today ?? ''), updatedAt: at }
    await tx
      .insertInto('payoutSchedules')
      .values({ programId, ...row })
      .onConflict((conflict) => conflict.column('programId').doUpdateSet(row))
      .execute()
  }
  return { before, after: await findSchedule(tx, { programId, at }) }
}

export type DueSchedule = { programId: number; period: string }

/** Schedules with a scheduled day, in the program's time zone, since the last one that is done. */
export const findDueSchedules = async (db: Database, at: Date): Promise<DueSchedule[]> => {
  const { rows } = await sql<Found & { programId: number; lastPeriod: string }>`
    SELECT schedule.program_id, schedule.frequency, schedule.day, schedule.weekday, schedule.last_period,
      (${at}::timestamptz AT TIME ZONE program.timezone)::date AS today
    FROM payout_schedules schedule JOIN programs program ON program.id = schedule.program_id
    ORDER BY schedule.program_id`.execute(db)
  return rows
    .map(({ programId, lastPeriod, today, ...days }) => ({
      programId,
      lastPeriod,
      period: latestScheduled(days, today),
    }))
    .filter(({ lastPeriod, period }) => period > lastPeriod)
}

/** Marks a scheduled day as done; false if another process already has, or the schedule has changed. */
export const finishPeriod = async (tx: Tx, { programId, period }: DueSchedule) => {
  const { numUpdatedRows } = await tx
    .updateTable('payoutSchedules')
    .set({ lastPeriod: period })
    .where('programId', '=', programId)
    .where('lastPeriod', '<', period)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Which calendar days a payout schedule names. Days are dates without a time zone, such as 2026-11-01. */
export type ScheduleDays = {
  frequency: 'monthly' | 'twice_monthly' | 'weekly'
  day: number | null
  /** 1 is Monday. */
  weekday: number | null
}

const DAY_MS = 86_400_000
const SECOND_DAY_AFTER = 14

const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const isScheduled = ({ frequency, day, weekday }: ScheduleDays, date: string) => {
  const at = new Date(date)
  if (frequency === 'weekly') return (at.getUTCDay() || 7) === weekday
  const ofMonth = at.getUTCDate()
  return ofMonth === day || (frequency === 'twice_monthly' && ofMonth === (day ?? 0) + SECOND_DAY_AFTER)
}

const scheduledFrom = (schedule: ScheduleDays, from: string, step: 1 | -1) => {
  let date = from
  while (!isScheduled(schedule, date)) date = addDays(date, step)
  return date
}

/** The latest scheduled day up to today. */
export const latestScheduled = (schedule: ScheduleDays, today: string) => scheduledFrom(schedule, today, -1)

/** The first scheduled day after today. */
export const nextScheduled = (schedule: ScheduleDays, today: string) => scheduledFrom(schedule, addDays(today, 1), 1)
