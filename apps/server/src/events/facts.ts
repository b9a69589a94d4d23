import { type RawBuilder, sql } from 'kysely'
import { everyDimension } from './dimensions.ts'

/** Clicks within (after, until]. */
export type Span = { programId: number; after: RawBuilder<unknown>; until: RawBuilder<unknown> }
/** Leads and sales of some days: an array of dates. */
export type OfDays = { programId: number; days: RawBuilder<unknown> }

const SHOWN = sql.raw('country, device, browser, operating_system, referrer_url, page_url')
const OF_CLICK = sql.raw(
  'click.country, click.device, click.browser, click.operating_system, click.referrer_url, click.page_url',
)

/** Clicks of people, with what is known of each: day and the columns of the click. */
export const clickFacts = ({ programId, after, until }: Span) => sql`
  SELECT day, ${SHOWN} FROM click_events
  WHERE program_id = ${programId} AND clicked_at > ${after} AND clicked_at <= ${until} AND device IS DISTINCT FROM 'bot'`

/**
 * The click that has the credit. A second customer from one click has another click_id, so it is found by time and link; of
 * several at that moment it is the customer's own.
 */
const creditedClick = (event: string) => sql`
  JOIN customers customer ON customer.program_id = ${sql.raw(event)}.program_id AND customer.click_id = ${sql.raw(event)}.click_id
  LEFT JOIN LATERAL (
    SELECT ${SHOWN} FROM click_events one
    WHERE one.program_id = customer.program_id AND one.clicked_at = customer.credited_click_at AND one.link_id = ${sql.raw(event)}.link_id
    ORDER BY one.click_id <> customer.click_id LIMIT 1) click ON true`

/** A sale that was voided is part of another one and counts for nothing. */
const salesOf = ({ programId, days }: OfDays) => sql`(SELECT * FROM sales
  WHERE program_id = ${programId} AND day = ANY (${days}) AND click_id IS NOT NULL AND voided_at IS NULL) sale`

const leadsOf = ({ programId, days }: OfDays) => sql`(SELECT * FROM leads
  WHERE program_id = ${programId} AND day = ANY (${days}) AND settled_at IS NOT NULL) lead`

/** One row for each lead or sale: day, link_id, partner_id, leads, sales. */
export const conversionsByLink = (of: OfDays) => sql`
  SELECT day, link_id, partner_id, 1::bigint AS leads, 0::bigint AS sales FROM ${leadsOf(of)}
  UNION ALL
  SELECT day, link_id, partner_id, 0, 1 FROM ${salesOf(of)}`

/** The same with the columns of the click in place of the link. Every click has to be looked up. */
export const conversionsByClick = (of: OfDays) => sql`
  SELECT lead.day, ${OF_CLICK}, 1::bigint AS leads, 0::bigint AS sales FROM ${leadsOf(of)} ${creditedClick('lead')}
  UNION ALL
  SELECT sale.day, ${OF_CLICK}, 0, 1 FROM ${salesOf(of)} ${creditedClick('sale')}`

/** Revenue of credited sales, and commissions of sales and leads: day, link_id, currency, revenue_cents, commission_cents. */
export const moneyByLink = (of: OfDays) => sql`
  SELECT day, link_id, currency, amount_cents AS revenue_cents, 0::bigint AS commission_cents FROM ${salesOf(of)}
  UNION ALL
  SELECT sale.day, sale.link_id, earned.currency, 0, earned.amount_cents FROM ${salesOf(of)}
  JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
  UNION ALL
  SELECT lead.day, lead.link_id, earned.currency, 0, earned.amount_cents FROM ${leadsOf(of)}
  JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id`

/** The same with the columns of the click in place of the link. */
export const moneyByClick = (of: OfDays) => sql`
  SELECT sale.day, ${OF_CLICK}, money.currency, money.revenue_cents, money.commission_cents
  FROM ${salesOf(of)} ${creditedClick('sale')}
  CROSS JOIN LATERAL (
    SELECT sale.currency, sale.amount_cents AS revenue_cents, 0::bigint AS commission_cents
    UNION ALL
    SELECT currency, 0, amount_cents FROM commissions WHERE program_id = sale.program_id AND sale_id = sale.id) money
  UNION ALL
  SELECT lead.day, ${OF_CLICK}, earned.currency, 0, earned.amount_cents FROM ${leadsOf(of)} ${creditedClick('lead')}
  JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id`

/** The same by everything: dimension, value, day, currency, revenue_cents, commission_cents. */
export const moneyByAll = (of: OfDays) => sql`
  SELECT 'link' AS dimension, link_id::text AS value, day, currency, revenue_cents, commission_cents FROM (${moneyByLink(of)}) linked
  UNION ALL
  SELECT broken.dimension, broken.value, click.day, currency, revenue_cents, commission_cents
  FROM (${moneyByClick(of)}) click CROSS JOIN LATERAL ${everyDimension}`
