import { sql } from 'kysely'
import type { Database } from '../connect.ts'
import { inTransaction, limitLockWait, type Tx } from '../transaction.ts'

type Retention = { days: number; at: Date }

/**
 * Drops whole months of clicks that are older than `days` and than every program's attribution window. Counts, leads, sales and
 * decisions do not need them. Clicks of visitors who may still become leads are kept without descriptive fields: an
 * uncredited sale is credited to the click before it.
 */
export const dropOldClicks = async (db: Database, { days, at }: Retention) => {
  const keptSince = await findOldestMonthToKeep(db, { days, at })
  for (const month of await monthsBefore(db, keptSince)) await inTransaction(db, (tx) => dropMonth(tx, { month, at }))
  await inTransaction(db, (tx) => emptyDefaultPartition(tx, { keptSince, at }))
}

/** The oldest month to keep: the retention period or the longest attribution window, whichever reaches back further. */
export const findOldestMonthToKeep = async (db: Database, { days, at }: Retention) => {
  const { rows } = await sql<{ keptSince: Date }>`
    SELECT date_trunc('month', ${at}::timestamptz - make_interval(days => greatest(${days}::integer, max(cookie_window_days))), 'UTC') AS kept_since
    FROM programs`.execute(db)
  return rows[0]?.keptSince ?? at
}

type Month = { name: string; endsAt: Date }

const monthsBefore = async (db: Database, keptSince: Date): Promise<Month[]> => {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'click_events'::regclass AND relname ~ '^click_events_\\d{4}_\\d{2}$' ORDER BY relname`.execute(
    db,
  )
  return rows
    .map(({ name }) => {
      const [year, month] = name.split('_').slice(-2).map(Number)
      return { name, endsAt: new Date(Date.UTC(year ?? 0, month ?? 0, 1)) }
    })
    .filter(({ endsAt }) => endsAt <= keptSince)
}

/** Whether the visitor's last click is still within the attribution window. */
const canStillConvert = (at: Date) => sql`EXISTS (
  SELECT FROM customers customer JOIN programs program ON program.id = customer.program_id
  WHERE customer.program_id = click.program_id AND customer.click_id = click.click_id
    AND customer.last_clicked_at > ${at}::timestamptz - make_interval(days => program.cookie_window_days))`

const dropMonth = async (tx: Tx, { month, at }: { month: Month; at: Date }) => {
  await sql`CREATE TEMPORARY TABLE clicks_to_keep ON COMMIT DROP AS
    SELECT program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, device
    FROM ${sql.raw(month.name)} click WHERE ${canStillConvert(at)}`.execute(tx)
  await limitLockWait(tx)
  await sql`DROP TABLE ${sql.raw(month.name)}`.execute(tx)
  await sql`INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, device)
    SELECT program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, device FROM clicks_to_keep`.execute(
    tx,
  )
  await recordRetention(tx, { keptSince: month.endsAt, at })
}

/** Clears clicks of months without a partition, and kept clicks of visitors whose window has expired. */
const emptyDefaultPartition = async (tx: Tx, { keptSince, at }: { keptSince: Date; at: Date }) => {
  const { numAffectedRows } = await sql`
    DELETE FROM click_events_other click WHERE clicked_at < ${keptSince} AND NOT ${canStillConvert(at)}`.execute(tx)
  if (numAffectedRows) await recordRetention(tx, { keptSince, at })
}

const recordRetention = (tx: Tx, { keptSince, at }: { keptSince: Date; at: Date }) =>
  sql`INSERT INTO click_retention (id, kept_since, dropped_at) VALUES (true, ${keptSince}, ${at})
    ON CONFLICT (id) DO UPDATE SET
      kept_since = greatest(click_retention.kept_since, excluded.kept_since), dropped_at = excluded.dropped_at`.execute(
    tx,
  )
