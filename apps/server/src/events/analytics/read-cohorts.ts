import type { Cohorts, CohortsQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Program } from '../../programs/programs.ts'
import { customerFacts, refundedCustomerDays, refundFacts } from './customer-facts.ts'

type Row = {
  month: string
  customers: number
  revenueCents: number[]
  refundedCents: number[]
  hasOtherCurrencies: boolean
}

type CohortOptions = { program: Program; query: CohortsQuery; at: Date }

/**
 * Customers by the month of their first sale, with their revenue by month since then in the program's currency, and what was refunded
 * of it later.
 */
export const readCohorts = async (db: Database, { program, query, at }: CohortOptions): Promise<Cohorts> => {
  const { id: programId, timezone, currency } = program
  const days = sql`(SELECT days FROM changed)::date[]`
  const refundedDays = sql`(SELECT days FROM refunded)::date[]`
  const columns = sql`day, cohort, currency, first_sales, first_cents + renewal_cents AS cents`
  const { rows } = await sql<Row>`
    WITH ${refundedCustomerDays(programId)}, span AS (
      SELECT last, (last - make_interval(months => ${query.months - 1}::integer))::date AS first
      FROM (SELECT date_trunc('month', ${at}::timestamptz AT TIME ZONE ${timezone})::date AS last) one
    ), fact AS MATERIALIZED (
      SELECT cohort, date_trunc('month', day)::date AS month, currency, sum(first_sales) AS first_sales, sum(cents) AS cents FROM (
        SELECT ${columns} FROM daily_customers
        WHERE program_id = ${programId} AND day >= (SELECT first FROM span) AND day <> ALL (${days})
        UNION ALL
        SELECT ${columns} FROM (${customerFacts({ programId, days })}) changed_fact) every
      WHERE cohort >= (SELECT first FROM span) GROUP BY 1, 2, 3
    ), refund AS MATERIALIZED (
      SELECT cohort, date_trunc('month', day)::date AS month, sum(refunded_cents) AS cents FROM (
        SELECT day, cohort, currency, refunded_cents FROM daily_refunds
        WHERE program_id = ${programId} AND day >= (SELECT first FROM span) AND day <> ALL (${refundedDays})
        UNION ALL
        SELECT day, cohort, currency, refunded_cents FROM (${refundFacts({ programId, days: refundedDays })}) changed_fact) every
      WHERE cohort >= (SELECT first FROM span) AND currency = ${currency} GROUP BY 1, 2)
    SELECT to_char(calendar.cohort, 'YYYY-MM') AS month,
      coalesce((SELECT sum(first_sales) FROM fact WHERE fact.cohort = calendar.cohort), 0)::bigint AS customers,
      (SELECT jsonb_agg(coalesce((
          SELECT sum(cents) FROM fact WHERE fact.cohort = calendar.cohort AND fact.month = later.month::date AND currency = ${currency}), 0)
          ORDER BY later.month)
        FROM generate_series(calendar.cohort, last, interval '1 month') later(month)) AS revenue_cents,
      (SELECT jsonb_agg(coalesce((
          SELECT cents FROM refund WHERE refund.cohort = calendar.cohort AND refund.month = later.month::date), 0) ORDER BY later.month)
        FROM generate_series(calendar.cohort, last, interval '1 month') later(month)) AS refunded_cents,
      EXISTS (SELECT FROM fact WHERE fact.cohort = calendar.cohort AND currency <> ${currency}) AS has_other_currencies
    FROM (SELECT month::date AS cohort, last FROM span CROSS JOIN LATERAL generate_series(first, last, interval '1 month') month) calendar
    ORDER BY calendar.cohort DESC`.execute(db)
  return {
    timezone,
    asOf: at.toISOString(),
    kept: false,
    currency,
    hasOtherCurrencies: rows.some((row) => row.hasOtherCurrencies),
    rows: rows.map(({ hasOtherCurrencies: _, ...row }) => row),
  }
}
