import { type RawBuilder, sql } from 'kysely'
import { everyDimension } from './dimensions.ts'

/** Events that began to count within (after, until]: a lead when it settled, a sale when it was credited. */
export type Span = { programId: number; after: RawBuilder<unknown>; until: RawBuilder<unknown> }
/** Or one event alone. */
export type One = { programId: number } & ({ saleId: number } | { leadId: number })
type Which = Span | One

const SHOWN = sql.raw('country, device, browser, operating_system, referrer_url, page_url')
const OF_CLICK = sql.raw(
  'click.country, click.device, click.browser, click.operating_system, click.referrer_url, click.page_url',
)

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

const within = (time: string, { programId, after, until }: Span) =>
  sql`program_id = ${programId} AND ${sql.raw(time)} > ${after} AND ${sql.raw(time)} <= ${until}`

const alone = (programId: number, id: number | null) => sql`program_id = ${programId} AND id = ${id}`

/** A sale that was voided is part of another one and counts for nothing. */
const salesOf = (which: Which) => sql`(SELECT * FROM sales
  WHERE ${'after' in which ? within('credited_at', which) : alone(which.programId, 'saleId' in which ? which.saleId : null)}
    AND credited_at IS NOT NULL AND voided_at IS NULL) sale`

const leadsOf = (which: Which) => sql`(SELECT * FROM leads
  WHERE ${'after' in which ? within('settled_at', which) : alone(which.programId, 'leadId' in which ? which.leadId : null)}
    AND settled_at IS NOT NULL) lead`

/** One row for each event, with what is known of its click: day, the columns of the click, clicks, leads, sales. */
export const countedFacts = (span: Span) => sql`
  SELECT day, ${SHOWN}, 1 AS clicks, 0 AS leads, 0 AS sales FROM click_events
  WHERE ${within('clicked_at', span)} AND device IS DISTINCT FROM 'bot'
  UNION ALL ${convertedFacts(span)}`

/** The same of leads and sales alone. */
export const convertedFacts = (which: Which) => sql`
  SELECT lead.day, ${OF_CLICK}, 0 AS clicks, 1 AS leads, 0 AS sales FROM ${leadsOf(which)} ${creditedClick('lead')}
  UNION ALL
  SELECT sale.day, ${OF_CLICK}, 0, 0, 1 FROM ${salesOf(which)} ${creditedClick('sale')}`

/** Leads and sales alone, by link and without what is known of their clicks: day, link_id, partner_id, clicks, leads, sales. */
export const convertedByLink = (which: Which) => sql`
  SELECT day, link_id, partner_id, 0 AS clicks, 1 AS leads, 0 AS sales FROM ${leadsOf(which)}
  UNION ALL
  SELECT day, link_id, partner_id, 0, 0, 1 FROM ${salesOf(which)}`

/** Where so many clicks came within the last minutes, the counts themselves are read as quickly. */
export const MOST_RECENT = 5_000

/** The same with clicks; of these at most so many, and then it is for the caller to see that there may be more. */
export const countedByLink = (span: Span, mostClicks: number | null = null) => sql`
  (SELECT day, link_id, partner_id, 1 AS clicks, 0 AS leads, 0 AS sales FROM click_events
  WHERE ${within('clicked_at', span)} AND device IS DISTINCT FROM 'bot' LIMIT ${mostClicks}::integer)
  UNION ALL ${convertedByLink(span)}`

/** Revenue of credited sales, and commissions of sales and leads: day, link_id, currency, revenue_cents, commission_cents. */
export const moneyByLink = (which: Which) => sql`
  SELECT day, link_id, currency, amount_cents AS revenue_cents, 0::bigint AS commission_cents FROM ${salesOf(which)}
  UNION ALL
  SELECT sale.day, sale.link_id, earned.currency, 0, earned.amount_cents FROM ${salesOf(which)}
  JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
  UNION ALL
  SELECT lead.day, lead.link_id, earned.currency, 0, earned.amount_cents FROM ${leadsOf(which)}
  JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id`

/** The same with the columns of the click in place of the link. */
export const moneyByClick = (which: Which) => sql`
  SELECT sale.day, ${OF_CLICK}, money.currency, money.revenue_cents, money.commission_cents
  FROM ${salesOf(which)} ${creditedClick('sale')}
  CROSS JOIN LATERAL (
    SELECT sale.currency, sale.amount_cents AS revenue_cents, 0::bigint AS commission_cents
    UNION ALL
    SELECT currency, 0, amount_cents FROM commissions WHERE program_id = sale.program_id AND sale_id = sale.id) money
  UNION ALL
  SELECT lead.day, ${OF_CLICK}, earned.currency, 0, earned.amount_cents FROM ${leadsOf(which)} ${creditedClick('lead')}
  JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id`

/** The same by everything at once: dimension, value, day, currency, revenue_cents, commission_cents. */
export const moneyByAll = (which: Which) => sql`
  SELECT 'link' AS dimension, link_id::text AS value, day, currency, revenue_cents, commission_cents FROM (${moneyByLink(which)}) linked
  UNION ALL
  SELECT broken.dimension, broken.value, click.day, currency, revenue_cents, commission_cents
  FROM (${moneyByClick(which)}) click CROSS JOIN LATERAL ${everyDimension}`
