import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

/** Long enough to compare 90 days with the same hours of the 90 days before. */
export const HOURLY_DAYS = 100

/** Every time zone's hours start at a quarter hour. */
export const quarterOf = (time: RawBuilder<unknown>) => sql`date_bin('15 minutes', ${time}, 'epoch')`

type Clicks = {
  programId: number
  after: RawBuilder<unknown>
  until: RawBuilder<unknown>
  /** Null: of any day. */
  onDay: string | null
}

/** Adds clicks by people within (after, until]. */
export const addHours = (tx: Tx, { programId, after, until, onDay }: Clicks) =>
  sql`
  INSERT INTO hourly_clicks (program_id, day, quarter, clicks)
  SELECT ${programId}, day, ${quarterOf(sql`clicked_at`)} AS quarter, count(*) FROM click_events
  WHERE program_id = ${programId} AND clicked_at > ${after} AND clicked_at <= ${until} AND device IS DISTINCT FROM 'bot'
    AND (${onDay}::date IS NULL OR day = ${onDay}::date)
  GROUP BY day, quarter
  ON CONFLICT (program_id, day, quarter) DO UPDATE SET clicks = hourly_clicks.clicks + excluded.clicks`.execute(tx)

/** Recounts a day that had a click that committed late. */
export const replaceHours = async (tx: Tx, clicks: Clicks & { onDay: string }) => {
  await tx
    .deleteFrom('hourlyClicks')
    .where('programId', '=', clicks.programId)
    .where('day', '=', clicks.onDay)
    .execute()
  await addHours(tx, clicks)
}

export const dropOldHours = (tx: Tx, { programId, today }: { programId: number; today: string }) =>
  sql`DELETE FROM hourly_clicks WHERE program_id = ${programId} AND day < ${today}::date - ${HOURLY_DAYS}::integer`.execute(
    tx,
  )
