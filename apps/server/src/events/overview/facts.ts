import { type RawBuilder, sql } from 'kysely'
import { everyDimension } from './dimensions.ts'

/** Clicks within (after, until]. */
export type Span = { programId: number; after: RawBuilder<unknown>; until: RawBuilder<unknown> }
/** Leads and sales of some days (an array of dates), optionally restricted to `links` (a query of IDs). */
export type OfDays = { programId: number; days: RawBuilder<unknown>; links?: RawBuilder<unknown> }

const SHOWN = sql.raw('country, device, browser, operating_system, referrer_url, page_url')
const OF_CLICK = sql.raw(
  'click.country, click.device, click.browser, click.operating_system, click.referrer_url, click.page_url',
)

/** Clicks by people, with the columns that breakdowns use. */
export const clickFacts = ({ programId, after, until }: Span) => sql`
  SELECT day, ${SHOWN} FROM click_events
  WHERE program_id = ${programId} AND clicked_at > ${after} AND clicked_at <= ${until} AND device IS DISTINCT FROM 'bot'`

/**
 * The credited click. A second customer from the same click has another click_id, so match by time and link; on a tie prefer the
 * customer's own click.
 */
const creditedClick = (event: string) => sql`
  JOIN customers customer ON customer.program_id = ${sql.raw(event)}.program_id AND customer.click_id = ${sql.raw(event)}.click_id
  LEFT JOIN LATERAL (
    SELECT ${SHOWN} FROM click_events one
    WHERE one.program_id = customer.program_id AND one.clicked_at = customer.credited_click_at AND one.link_id = ${sql.raw(event)}.link_id
    ORDER BY one.click_id <> customer.click_id LIMIT 1) click ON true`

const ofLinks = ({ links }: OfDays) => (links ? sql`AND link_id IN (${links})` : sql``)

/** A voided sale was merged into another one and does not count. */
const salesOf = (of: OfDays) => sql`(SELECT * FROM sales
  WHERE program_id = ${of.programId} AND day = ANY (${of.days}) AND click_id IS NOT NULL AND voided_at IS NULL ${ofLinks(of)}) sale`

const leadsOf = (of: OfDays) => sql`(SELECT * FROM leads
  WHERE program_id = ${of.programId} AND day = ANY (${of.days}) AND settled_at IS NOT NULL ${ofLinks(of)}) lead`

/** One row per lead or sale: day, link_id, partner_id, leads, sales. */
export const conversionsByLink = (of: OfDays) => sql`
  SELECT day, link_id, partner_id, 1::bigint AS leads, 0::bigint AS sales FROM ${leadsOf(of)}
  UNION ALL
  SELECT day, link_id, partner_id, 0, 1 FROM ${salesOf(of)}`

/** Revenue of attributed sales and commissions of leads and sales: day, link_id, currency, revenue_cents, commission_cents. */
export const moneyByLink = (of: OfDays) => sql`
  SELECT day, link_id, currency, amount_cents AS revenue_cents, 0::bigint AS commission_cents FROM ${salesOf(of)}
  UNION ALL
  SELECT sale.day, sale.link_id, earned.currency, 0, earned.amount_cents FROM ${salesOf(of)}
  JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
  UNION ALL
  SELECT lead.day, lead.link_id, earned.currency, 0, earned.amount_cents FROM ${leadsOf(of)}
  JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id`

/**
 * Leads and sales joined with their clicks and grouped by the click's columns: day, those columns, leads, sales, and revenue and
 * commissions, each with its currency.
 */
export const conversionsByClick = (of: OfDays) => sql`
  SELECT day, ${SHOWN}, sum(leads)::bigint AS leads, sum(sales)::bigint AS sales, currency, sum(revenue_cents)::bigint AS revenue_cents,
    earned_currency, sum(commission_cents)::bigint AS commission_cents
  FROM (
    SELECT lead.day, ${OF_CLICK}, 1::bigint AS leads, 0::bigint AS sales, NULL AS currency, 0::bigint AS revenue_cents,
      earned.currency AS earned_currency, earned.amount_cents AS commission_cents
    FROM ${leadsOf(of)} ${creditedClick('lead')}
    LEFT JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id
    UNION ALL
    SELECT sale.day, ${OF_CLICK}, 0, 1, sale.currency, sale.amount_cents, earned.currency, earned.amount_cents
    FROM ${salesOf(of)} ${creditedClick('sale')}
    LEFT JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id) one
  GROUP BY day, ${SHOWN}, currency, earned_currency`

/** The money in such rows, one row per currency: `columns`, currency, revenue_cents, commission_cents. */
export const moneyIn = (rows: string, columns: RawBuilder<unknown>) => sql`
  SELECT ${columns}, currency, revenue_cents, 0::bigint AS commission_cents FROM ${sql.raw(rows)} WHERE currency IS NOT NULL
  UNION ALL
  SELECT ${columns}, earned_currency, 0, commission_cents FROM ${sql.raw(rows)} WHERE earned_currency IS NOT NULL`

/** Totals per dimension: dimension, value, day, currency, revenue_cents, commission_cents. */
export const moneyByAll = (of: OfDays) => sql`
  WITH fact AS MATERIALIZED (
    SELECT dimension, value, click.* FROM (${conversionsByClick(of)}) click CROSS JOIN LATERAL ${everyDimension})
  SELECT dimension, value, day, currency, sum(revenue_cents) AS revenue_cents, sum(commission_cents) AS commission_cents FROM (
    SELECT 'link' AS dimension, link_id::text AS value, day, currency, revenue_cents, commission_cents FROM (${moneyByLink(of)}) linked
    UNION ALL ${moneyIn('fact', sql`dimension, value, day`)}) every
  GROUP BY dimension, value, day, currency`
