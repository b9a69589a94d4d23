import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import {
  changedFirstSales,
  conversionTimes,
  customerFacts,
  daysOfCustomers,
  refundFacts,
} from '../analytics/customer-facts.ts'

type Day = { programId: number; day: string }

/** Recomputes a day's first sales, renewals, refunds and conversion times. */
export const rollUpCustomers = async (tx: Tx, { programId, day }: Day) => {
  const of = { programId, days: sql`ARRAY[${day}::date]` }
  await storeFirstSales(tx, { programId, day })
  await tx.deleteFrom('dailyCustomers').where('programId', '=', programId).where('day', '=', day).execute()
  await sql`
    INSERT INTO daily_customers (program_id, day, cohort, currency, first_sales, renewals, first_cents, renewal_cents)
    SELECT ${programId}, fact.* FROM (${customerFacts(of)}) fact`.execute(tx)
  await rollUpRefunds(tx, { programId, day })
  await tx.deleteFrom('dailyConversionTimes').where('programId', '=', programId).where('day', '=', day).execute()
  await sql`
    INSERT INTO daily_conversion_times (program_id, day, step, bucket, conversions)
    SELECT ${programId}, fact.* FROM (${conversionTimes(of)}) fact`.execute(tx)
}

/** Recomputes the refunds of a day's sales. */
export const rollUpRefunds = async (tx: Tx, { programId, day }: Day) => {
  await sql`DELETE FROM daily_refunds WHERE program_id = ${programId} AND day = ${day}::date`.execute(tx)
  await sql`
    INSERT INTO daily_refunds (program_id, day, cohort, currency, refunded_cents)
    SELECT ${programId}, fact.* FROM (${refundFacts({ programId, days: sql`ARRAY[${day}::date]` })}) fact`.execute(tx)
}

/**
 * Stores the first sales of the day's customers, and marks the other days that change with them. One statement, because a sale that
 * commits in between must be either in both or in neither.
 */
const storeFirstSales = (tx: Tx, { programId, day }: Day) =>
  sql`
  WITH buyers AS MATERIALIZED (${changedFirstSales({ programId, days: sql`ARRAY[${day}::date]` })}),
  known AS (SELECT * FROM buyers WHERE stored_id IS NOT NULL),
  marked AS (
    INSERT INTO changed_days (program_id, day)
    SELECT ${programId}, other.day FROM (${daysOfCustomers(programId, 'known')}) other WHERE other.day <> ${day}::date
  ), gone AS (
    DELETE FROM first_sales USING buyers
    WHERE program_id = ${programId} AND first_sales.click_id = buyers.click_id AND buyers.id IS NULL)
  INSERT INTO first_sales (program_id, click_id, sale_id, day)
  SELECT ${programId}, click_id, id, day FROM buyers WHERE id IS NOT NULL
  ON CONFLICT (program_id, click_id) DO UPDATE SET sale_id = excluded.sale_id, day = excluded.day`.execute(tx)
