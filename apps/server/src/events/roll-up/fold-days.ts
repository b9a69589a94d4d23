import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

/** Days are kept in full for a week, then reduced to the top values, so that months read as fast as weeks. */
const FULL_DAYS = 7
const MOST_CLICKED = 30
const BEST_SELLING = 10

type Days = { programId: number; after: string; until: string }

/**
 * Groups rare values of older days under `(other)`. Countries stay: they cannot be forged, and the event list uses them to find
 * days.
 */
export const foldDays = async (tx: Tx, { programId, after, until }: Days) => {
  const old = sql`program_id = ${programId} AND dimension <> 'country' AND dimension <> 'link' AND value <> '(other)'
    AND day > ${after}::date - ${FULL_DAYS}::integer AND day <= ${until}::date - ${FULL_DAYS}::integer`
  // For a new program, or one catching up after months, the statistics are stale: Postgres expects one row and would nest
  // loops over thousands.
  await sql`SET LOCAL enable_nestloop = off`.execute(tx)
  await sql`
    WITH ranked AS (
      SELECT dimension, day, value,
        row_number() OVER (PARTITION BY dimension, day ORDER BY clicks DESC, value) AS by_clicks,
        row_number() OVER (PARTITION BY dimension, day ORDER BY sales DESC, leads DESC, clicks DESC, value) AS by_sales
      FROM daily_breakdowns WHERE ${old}
    ), gone AS (
      DELETE FROM daily_breakdowns stored USING ranked
      WHERE stored.program_id = ${programId} AND stored.dimension = ranked.dimension AND stored.day = ranked.day
        AND stored.value = ranked.value AND by_clicks > ${MOST_CLICKED} AND by_sales > ${BEST_SELLING}
      RETURNING stored.*)
    INSERT INTO daily_breakdowns (program_id, dimension, day, value, clicks, leads, sales)
    SELECT program_id, dimension, day, '(other)', sum(clicks), sum(leads), sum(sales) FROM gone GROUP BY program_id, dimension, day
    ON CONFLICT (program_id, dimension, day, value) DO UPDATE SET clicks = daily_breakdowns.clicks + excluded.clicks,
      leads = daily_breakdowns.leads + excluded.leads, sales = daily_breakdowns.sales + excluded.sales`.execute(tx)
  // Money follows the value its sale is counted under.
  await sql`
    WITH gone AS (
      DELETE FROM daily_money WHERE ${old} AND NOT EXISTS (
        SELECT FROM daily_breakdowns stored WHERE stored.program_id = daily_money.program_id
          AND stored.dimension = daily_money.dimension AND stored.day = daily_money.day AND stored.value = daily_money.value)
      RETURNING *)
    INSERT INTO daily_money (program_id, dimension, day, value, currency, revenue_cents, commission_cents)
    SELECT program_id, dimension, day, '(other)', currency, sum(revenue_cents), sum(commission_cents)
    FROM gone GROUP BY program_id, dimension, day, currency
    ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET
      revenue_cents = daily_money.revenue_cents + excluded.revenue_cents,
      commission_cents = daily_money.commission_cents + excluded.commission_cents`.execute(tx)
  await sql`SET LOCAL enable_nestloop = on`.execute(tx)
}
