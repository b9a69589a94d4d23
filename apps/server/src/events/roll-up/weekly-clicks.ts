import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { addDays } from '../overview/days.ts'
import type { Days } from '../overview/periods.ts'
import { lockMark } from './roll-up-marks.ts'

const HOUR_MS = 3_600_000
const WEEK_DAYS = 7

/**
 * Sums the clicks of the next finished week by link. The week must be over in every time zone, so that a change of the program's
 * time zone cannot reopen one of its days. Returns whether none was left.
 */
export const sumWeek = async (tx: Tx, { programId, at }: { programId: number; at: Date }): Promise<boolean> => {
  const mark = await lockMark(tx, programId).skipLocked().executeTakeFirst()
  if (!mark) return true
  const week = mark.summedWeek ? addDays(mark.summedWeek, WEEK_DAYS) : await firstWeek(tx, programId)
  const lastZone = new Date(at.getTime() - 13 * HOUR_MS).toISOString().slice(0, 10)
  if (week === null || addDays(week, WEEK_DAYS) > lastZone) return true
  await sql`
    INSERT INTO weekly_clicks (program_id, week, link_id, partner_id, clicks)
    SELECT program_id, ${week}::date, link_id, partner_id, sum(clicks) FROM daily_counts
    WHERE program_id = ${programId} AND day BETWEEN ${week}::date AND ${week}::date + 6
    GROUP BY program_id, link_id, partner_id ORDER BY link_id`.execute(tx)
  await tx.updateTable('rollUps').set({ summedWeek: week }).where('programId', '=', programId).execute()
  return false
}

const firstWeek = async (tx: Tx, programId: number) => {
  const { rows } = await sql<{ week: string | null }>`
    SELECT date_trunc('week', min(day))::date AS week FROM daily_counts WHERE program_id = ${programId}`.execute(tx)
  return rows[0]?.week ?? null
}

type WeeklyOptions = Days & { programId: number; id: RawBuilder<unknown> }

/** Clicks by link or partner: whole weeks where summed, single days before and after them. */
export const clicksBy = ({ programId, id, firstDay, lastDay }: WeeklyOptions) => {
  const monday = addDays(firstDay, (8 - new Date(firstDay).getUTCDay()) % WEEK_DAYS)
  // The end of the last summed week, or the day before the first Monday if there is none.
  const summed = sql`(SELECT greatest(${monday}::date - 1, least(coalesce(summed_week + 6, '-infinity'),
    ${monday}::date - 1 + (${lastDay}::date + 1 - ${monday}::date) / 7 * 7)) FROM (
      SELECT max(summed_week) AS summed_week FROM roll_ups WHERE program_id = ${programId}) one)`
  const daily = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`
    SELECT ${id} AS id, sum(clicks)::bigint AS clicks FROM daily_counts
    WHERE program_id = ${programId} AND day BETWEEN ${from} AND ${to} GROUP BY 1`
  return sql`
    ${daily(sql`${firstDay}::date`, sql`least(${monday}::date - 1, ${lastDay}::date)`)}
    UNION ALL
    SELECT ${id}, sum(clicks)::bigint FROM weekly_clicks
    WHERE program_id = ${programId} AND week BETWEEN ${monday}::date AND ${summed} GROUP BY 1
    UNION ALL
    ${daily(sql`${summed} + 1`, sql`${lastDay}::date`)}`
}
