import { type RawBuilder, sql } from 'kysely'
import { everyDimension } from './dimensions.ts'

/** Clicks within (after, until]. */
export type Span = { programId: number; after: RawBuilder<unknown>; until: RawBuilder<unknown> }
/** Leads and sales of some days (an array of dates), optionally restricted to `links` (a query of few IDs). */
export type ConversionScope = { programId: number; days: RawBuilder<unknown>; links?: RawBuilder<unknown> }

const CLICK_COLUMNS = sql.raw('country, device, browser, operating_system, referrer_url, page_url')
const JOINED_CLICK_COLUMNS = sql.raw(
  'click.country, click.device, click.browser, click.operating_system, click.referrer_url, click.page_url',
)

/** Clicks by people, with the columns that breakdowns use. */
export const clickFacts = ({ programId, after, until }: Span) => sql`
  SELECT day, ${CLICK_COLUMNS} FROM click_events
  WHERE program_id = ${programId} AND clicked_at > ${after} AND clicked_at <= ${until} AND device IS DISTINCT FROM 'bot'`

/**
 * The credited click. A second customer from the same click has another click_id, so match by time and link; on a tie prefer the
 * customer's own click.
 */
const creditedClick = (event: string) => sql`
  JOIN customers customer ON customer.program_id = ${sql.raw(event)}.program_id AND customer.click_id = ${sql.raw(event)}.click_id
  LEFT JOIN LATERAL (
    SELECT ${CLICK_COLUMNS} FROM click_events one
    WHERE one.program_id = customer.program_id AND one.clicked_at = customer.credited_click_at AND one.link_id = ${sql.raw(event)}.link_id
    ORDER BY one.click_id <> customer.click_id LIMIT 1) click ON true`

/** Credits by code have no link. They are counted under minus the partner's ID, so that sums of links have every credit of the partner. */
const linkOf = (event: string) => sql.raw(`coalesce(${event}.link_id, -${event}.partner_id)`)

const onlyLinks = ({ links }: ConversionScope) =>
  links ? sql`AND coalesce(link_id, -partner_id) = ANY (ARRAY(${links}))` : sql``

/** A voided sale was merged into another one and does not count. */
export const salesOf = (scope: ConversionScope) => sql`(SELECT * FROM sales
  WHERE program_id = ${scope.programId} AND day = ANY (${scope.days}) AND credit_source IS NOT NULL AND voided_at IS NULL ${onlyLinks(scope)}) sale`

export const leadsOf = (scope: ConversionScope) => sql`(SELECT * FROM leads
  WHERE program_id = ${scope.programId} AND day = ANY (${scope.days}) AND settled_at IS NOT NULL ${onlyLinks(scope)}) lead`

/** One row per lead or sale: day, link_id, partner_id, leads, sales. */
export const conversionsByLink = (scope: ConversionScope) => sql`
  SELECT day, ${linkOf('lead')} AS link_id, partner_id, 1::bigint AS leads, 0::bigint AS sales FROM ${leadsOf(scope)}
  UNION ALL
  SELECT day, ${linkOf('sale')}, partner_id, 0, 1 FROM ${salesOf(scope)}`

/** Revenue of attributed sales and commissions of leads and sales: day, link_id, currency, revenue_cents, commission_cents. */
export const moneyByLink = (scope: ConversionScope) => sql`
  SELECT day, ${linkOf('sale')} AS link_id, currency, amount_cents AS revenue_cents, 0::bigint AS commission_cents FROM ${salesOf(scope)}
  UNION ALL
  SELECT sale.day, ${linkOf('sale')}, earned.currency, 0, earned.amount_cents FROM ${salesOf(scope)}
  JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
  UNION ALL
  SELECT lead.day, ${linkOf('lead')}, earned.currency, 0, earned.amount_cents FROM ${leadsOf(scope)}
  JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id`

/**
 * Leads and sales joined with their clicks and grouped by the click's columns: day, those columns, leads, sales, and revenue and
 * commissions, each with its currency.
 */
export const conversionsByClick = (scope: ConversionScope) => sql`
  SELECT day, ${CLICK_COLUMNS}, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales, currency, sum(revenue_cents)::bigint AS revenue_cents,
    earned_currency, sum(commission_cents)::bigint AS commission_cents
  FROM (
    SELECT lead.day, ${JOINED_CLICK_COLUMNS}, 1::bigint AS leads, 0::bigint AS sales, NULL AS currency, 0::bigint AS revenue_cents,
      earned.currency AS earned_currency, earned.amount_cents AS commission_cents
    FROM ${leadsOf(scope)} ${creditedClick('lead')}
    LEFT JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id
    UNION ALL
    SELECT sale.day, ${JOINED_CLICK_COLUMNS}, 0, 1, sale.currency, sale.amount_cents, earned.currency, earned.amount_cents
    FROM ${salesOf(scope)} ${creditedClick('sale')}
    LEFT JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id) one
  GROUP BY day, ${CLICK_COLUMNS}, currency, earned_currency`

/** The money in such rows, one row per currency: `columns`, currency, revenue_cents, commission_cents. */
export const moneyIn = (rows: string, columns: RawBuilder<unknown>) => sql`
  SELECT ${columns}, currency, revenue_cents, 0::bigint AS commission_cents FROM ${sql.raw(rows)} WHERE currency IS NOT NULL
  UNION ALL
  SELECT ${columns}, earned_currency, 0, commission_cents FROM ${sql.raw(rows)} WHERE earned_currency IS NOT NULL`

/** Totals per dimension: dimension, value, day, currency, revenue_cents, commission_cents. */
export const moneyByDimension = (scope: ConversionScope) => sql`
  WITH fact AS MATERIALIZED (
    SELECT dimension, value, click.* FROM (${conversionsByClick(scope)}) click CROSS JOIN LATERAL ${everyDimension})
  SELECT dimension, value, day, currency, sum(revenue_cents) AS revenue_cents, sum(commission_cents) AS commission_cents FROM (
    SELECT 'link' AS dimension, link_id::text AS value, day, currency, revenue_cents, commission_cents FROM (${moneyByLink(scope)}) linked
    UNION ALL ${moneyIn('fact', sql`dimension, value, day`)}) every
  GROUP BY dimension, value, day, currency`
