import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

/** Long enough to compare 90 days with the same hours of the 90 days before. */
export const HOURLY_DAYS = 100

/** Partners see hours of the last days, and compare 30 days with the same hours of the 30 days before. */
export const PARTNER_HOURLY_DAYS = 35

/** Every time zone's hours start at a quarter hour. */
export const quarterOf = (time: RawBuilder<unknown>) => sql`date_bin('15 minutes', ${time}, 'epoch')`

type Clicks = {
  programId: number
  after: RawBuilder<unknown>
  until: RawBuilder<unknown>
  /** Null: of any day. */
  onDay: string | null
}

/** Adds clicks by people within (after, until], of the program and of each partner. */
export const addHours = async (tx: Tx, { programId, after, until, onDay }: Clicks) => {
  const clicks = sql`click_events
    WHERE program_id = ${programId} AND clicked_at > ${after} AND clicked_at <= ${until} AND device IS DISTINCT FROM 'bot'
      AND (${onDay}::date IS NULL OR day = ${onDay}::date)`
  const quarter = sql`${quarterOf(sql`clicked_at`)} AS quarter`
  await sql`
    INSERT INTO hourly_clicks (program_id, day, quarter, clicks)
    SELECT ${programId}, day, ${quarter}, count(*) FROM ${clicks} GROUP BY day, quarter
    ON CONFLICT (program_id, day, quarter) DO UPDATE SET clicks = hourly_clicks.clicks + excluded.clicks`.execute(tx)
  await sql`
    INSERT INTO hourly_partner_clicks (program_id, partner_id, day, quarter, clicks)
    SELECT ${programId}, partner_id, day, ${quarter}, count(*) FROM ${clicks} GROUP BY partner_id, day, quarter
    ON CONFLICT (program_id, partner_id, day, quarter)
      DO UPDATE SET clicks = hourly_partner_clicks.clicks + excluded.clicks`.execute(tx)
}

/** Recounts a day that had a click that committed late. */
export const replaceHours = async (tx: Tx, clicks: Clicks & { onDay: string }) => {
  await tx
    .deleteFrom('hourlyClicks')
    .where('programId', '=', clicks.programId)
    .where('day', '=', clicks.onDay)
    .execute()
  await sql`DELETE FROM hourly_partner_clicks WHERE program_id = ${clicks.programId} AND day = ${clicks.onDay}::date`.execute(
    tx,
  )
  await addHours(tx, clicks)
}

export const dropOldHours = async (tx: Tx, { programId, today }: { programId: number; today: string }) => {
  await sql`
    DELETE FROM hourly_clicks WHERE program_id = ${programId} AND day < ${today}::date - ${HOURLY_DAYS}::integer`.execute(
    tx,
  )
  await sql`
    DELETE FROM hourly_partner_clicks
    WHERE program_id = ${programId} AND day < ${today}::date - ${PARTNER_HOURLY_DAYS}::integer`.execute(tx)
}
