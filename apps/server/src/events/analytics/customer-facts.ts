import { CONVERSION_TIMES } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import { selectLostCents } from '../../database/sql/refunded.ts'
import { type ConversionScope, leadsOf, salesOf } from '../overview/facts.ts'
import { changedDays } from '../roll-up/changed-days.ts'

/** The first sale that counts of the customer `clickId`: id, day. */
const firstSaleOf = (programId: number, clickId: RawBuilder<unknown>) => sql`
  SELECT one.id, one.day FROM sales one
  WHERE one.program_id = ${programId} AND one.click_id = ${clickId} AND one.voided_at IS NULL
  ORDER BY one.sold_at, one.id LIMIT 1`

/**
 * Customers whose first sale is not the stored one, among those with a sale or a stored first sale on these days: click_id, stored_id,
 * stored_day, id, day (null without a sale that counts).
 */
export const changedFirstSales = (scope: ConversionScope) => sql`
  SELECT buyer.click_id, stored.sale_id AS stored_id, stored.day AS stored_day, first.id, first.day
  FROM (
    SELECT click_id FROM ${salesOf(scope)}
    UNION
    SELECT click_id FROM first_sales WHERE program_id = ${scope.programId} AND day = ANY (${scope.days})) buyer
  LEFT JOIN first_sales stored ON stored.program_id = ${scope.programId} AND stored.click_id = buyer.click_id
  LEFT JOIN LATERAL (${firstSaleOf(scope.programId, sql`buyer.click_id`)}) first ON true
  WHERE (stored.sale_id, stored.day) IS DISTINCT FROM (first.id, first.day)`

/** Days that changed with a customer's first sale, given such customers: all days of their sales. */
export const daysOfCustomers = (programId: number, customers: string) => sql`
  SELECT stored_day AS day FROM ${sql.raw(customers)} WHERE stored_day IS NOT NULL
  UNION
  SELECT sale.day FROM ${sql.raw(customers)} buyer
  JOIN sales sale ON sale.program_id = ${programId} AND sale.click_id = buyer.click_id AND sale.voided_at IS NULL`

/** A program's marked days and those that changed with them, as a query to put before `WITH` parts that use `changed`. */
export const changedCustomerDays = (programId: number) => sql`
  buyers AS MATERIALIZED (${changedFirstSales({ programId, days: changedDays(programId) })}),
  changed AS MATERIALIZED (
    SELECT array(SELECT unnest(${changedDays(programId)}) UNION ${daysOfCustomers(programId, 'buyers')}) AS days)`

/** The same days, and those with new refunds. */
export const refundedCustomerDays = (programId: number) => sql`
  ${changedCustomerDays(programId)}, refunded AS MATERIALIZED (
    SELECT array(SELECT unnest(days) FROM changed UNION SELECT marked.day FROM refunded_days marked
      WHERE marked.program_id = ${programId}) AS days)`

/** Sales by the month of the customer's first one: day, cohort, currency, first_sales, renewals, first_cents, renewal_cents. */
export const customerFacts = (scope: ConversionScope) => sql`
  SELECT sale.day, date_trunc('month', first.day)::date AS cohort, sale.currency,
    count(*) FILTER (WHERE sale.id = first.id) AS first_sales, count(*) FILTER (WHERE sale.id <> first.id) AS renewals,
    coalesce(sum(sale.amount_cents) FILTER (WHERE sale.id = first.id), 0)::bigint AS first_cents,
    coalesce(sum(sale.amount_cents) FILTER (WHERE sale.id <> first.id), 0)::bigint AS renewal_cents
  FROM ${salesOf(scope)} CROSS JOIN LATERAL (${firstSaleOf(scope.programId, sql`sale.click_id`)}) first
  GROUP BY 1, 2, 3`

/** Refunds and lost disputes of such sales: day, cohort, currency, refunded_cents. */
export const refundFacts = (scope: ConversionScope) => sql`
  SELECT refunded.day, date_trunc('month', first.day)::date AS cohort, refunded.currency, sum(refunded.cents)::bigint AS refunded_cents
  FROM (
    SELECT sale.day, sale.click_id, sale.currency, ${selectLostCents} AS cents
    FROM ${salesOf(scope)}) refunded
  CROSS JOIN LATERAL (${firstSaleOf(scope.programId, sql`refunded.click_id`)}) first
  WHERE refunded.cents > 0 GROUP BY 1, 2, 3`

/** How long leads and first sales took: day, step, bucket, conversions. */
export const conversionTimes = (scope: ConversionScope) => {
  const took = (time: string) =>
    sql`width_bucket(extract(epoch FROM ${sql.ref(time)} - customer.first_clicked_at), ARRAY[${sql.raw(CONVERSION_TIMES.join(', '))}]::numeric[])`
  const customer = (event: string) =>
    sql`JOIN customers customer ON customer.program_id = ${sql.ref(event)}.program_id AND customer.click_id = ${sql.ref(event)}.click_id`
  return sql`
    SELECT lead.day, 'lead' AS step, ${took('lead.settled_at')} AS bucket, count(*) AS conversions
    FROM ${leadsOf(scope)} ${customer('lead')} GROUP BY 1, 3
    UNION ALL
    SELECT sale.day, 'sale', ${took('sale.sold_at')}, count(*) FROM ${salesOf(scope)} ${customer('sale')}
    WHERE sale.id = (SELECT id FROM (${firstSaleOf(scope.programId, sql`sale.click_id`)}) first) GROUP BY 1, 3`
}
