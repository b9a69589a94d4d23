import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

/** Referrers can be forged, so beyond this many values per day the rare ones are grouped. */
const MAX_VALUES_PER_DAY = 200

/**
 * Adds rows of (dimension, day, value, clicks, leads, sales). A value already stored for that day keeps its row. New values get
 * one while there is space, most frequent first, but never once the day has `(other)`: a value has one place per day.
 */
export const addCounts = (tx: Tx, programId: number, facts: RawBuilder<unknown>) =>
  sql`
  WITH part AS (${facts}), size AS (
    SELECT dimension, day, count(*) AS known, bool_or(value = '(other)') AS is_full FROM daily_breakdowns
    WHERE program_id = ${programId} AND (dimension, day) IN (SELECT dimension, day FROM part) GROUP BY dimension, day
  ), named AS (
    SELECT part.*, CASE WHEN stored.value IS NOT NULL OR is_full IS NOT TRUE AND coalesce(size.known, 0) + row_number() OVER (
        PARTITION BY part.dimension, part.day, stored.value IS NULL ORDER BY part.clicks DESC, part.sales DESC, part.value) <= ${MAX_VALUES_PER_DAY}
      THEN part.value ELSE '(other)' END AS name
    FROM part
    LEFT JOIN daily_breakdowns stored ON stored.program_id = ${programId} AND stored.dimension = part.dimension
      AND stored.day = part.day AND stored.value = part.value
    LEFT JOIN size ON size.dimension = part.dimension AND size.day = part.day
  )
  INSERT INTO daily_breakdowns (program_id, dimension, day, value, clicks, leads, sales)
  SELECT ${programId}, dimension, day, name, sum(clicks), sum(leads), sum(sales) FROM named GROUP BY dimension, day, name
  ON CONFLICT (program_id, dimension, day, value) DO UPDATE SET clicks = daily_breakdowns.clicks + excluded.clicks,
    leads = daily_breakdowns.leads + excluded.leads, sales = daily_breakdowns.sales + excluded.sales`.execute(tx)

/** Adds rows of (dimension, day, value, currency, revenue_cents, commission_cents). Runs after addCounts and uses its values. */
export const addMoney = (tx: Tx, programId: number, facts: RawBuilder<unknown>) =>
  sql`
  INSERT INTO daily_money (program_id, dimension, day, value, currency, revenue_cents, commission_cents)
  SELECT ${programId}, part.dimension, part.day,
    CASE WHEN part.dimension = 'link' THEN part.value ELSE coalesce(stored.value, '(other)') END AS name,
    currency, sum(revenue_cents), sum(commission_cents)
  FROM (${facts}) part
  LEFT JOIN daily_breakdowns stored ON stored.program_id = ${programId} AND stored.dimension = part.dimension
    AND stored.day = part.day AND stored.value = part.value
  GROUP BY part.dimension, part.day, name, currency
  ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET
    revenue_cents = daily_money.revenue_cents + excluded.revenue_cents,
    commission_cents = daily_money.commission_cents + excluded.commission_cents`.execute(tx)
