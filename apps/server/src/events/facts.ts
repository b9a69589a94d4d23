import { type RawBuilder, sql } from 'kysely'

/** Events that began to count within (after, until]: a lead when it settled, a sale when it was credited. */
export type Span = { programId: number; after: RawBuilder<unknown>; until: RawBuilder<unknown> }

const SHOWN = sql.raw('country, device, browser, operating_system, referrer_url, page_url')
const OF_CLICK = sql.raw(
  'click.country, click.device, click.browser, click.operating_system, click.referrer_url, click.page_url',
)

/** The click that has the credit. A second customer from one click has another click_id, so it is found by time and link. */
const creditedClick = (event: string) => sql`
  JOIN customers customer ON customer.program_id = ${sql.raw(event)}.program_id AND customer.click_id = ${sql.raw(event)}.click_id
  LEFT JOIN LATERAL (
    SELECT ${SHOWN} FROM click_events one
    WHERE one.program_id = customer.program_id AND one.clicked_at = customer.credited_click_at AND one.link_id = ${sql.raw(event)}.link_id
    LIMIT 1) click ON true`

const within = (time: string, { programId, after, until }: Span) =>
  sql`program_id = ${programId} AND ${sql.raw(time)} > ${after} AND ${sql.raw(time)} <= ${until}`

/** One row for each event, with what is known of its click: day, the columns of the click, clicks, leads, sales. */
export const countedFacts = (span: Span) => sql`
  SELECT day, ${SHOWN}, 1 AS clicks, 0 AS leads, 0 AS sales FROM click_events
  WHERE ${within('clicked_at', span)} AND device IS DISTINCT FROM 'bot'
  UNION ALL ${convertedFacts(span)}`

const convertedFacts = (span: Span) => sql`
  SELECT lead.day, ${OF_CLICK}, 0, 1, 0 FROM (SELECT * FROM leads WHERE ${within('settled_at', span)}) lead ${creditedClick('lead')}
  UNION ALL
  SELECT sale.day, ${OF_CLICK}, 0, 0, 1 FROM (SELECT * FROM sales WHERE ${within('credited_at', span)}) sale ${creditedClick('sale')}`

/** Revenue of credited sales, and commissions of sales and leads: day, link_id, currency, revenue_cents, commission_cents. */
export const moneyByLink = (span: Span) => sql`
  SELECT day, link_id, currency, amount_cents AS revenue_cents, 0::bigint AS commission_cents FROM sales WHERE ${within('credited_at', span)}
  UNION ALL
  SELECT sale.day, sale.link_id, earned.currency, 0, earned.amount_cents
  FROM (SELECT * FROM sales WHERE ${within('credited_at', span)}) sale
  JOIN commissions earned ON earned.program_id = sale.program_id AND earned.sale_id = sale.id
  UNION ALL
  SELECT lead.day, lead.link_id, earned.currency, 0, earned.amount_cents
  FROM (SELECT * FROM leads WHERE ${within('settled_at', span)}) lead
  JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id`

/** The same with the columns of the click in place of the link. */
export const moneyByClick = (span: Span) => sql`
  SELECT sale.day, ${OF_CLICK}, money.currency, money.revenue_cents, money.commission_cents
  FROM (SELECT * FROM sales WHERE ${within('credited_at', span)}) sale ${creditedClick('sale')}
  CROSS JOIN LATERAL (
    SELECT sale.currency, sale.amount_cents AS revenue_cents, 0::bigint AS commission_cents
    UNION ALL
    SELECT currency, 0, amount_cents FROM commissions WHERE program_id = sale.program_id AND sale_id = sale.id) money
  UNION ALL
  SELECT lead.day, ${OF_CLICK}, earned.currency, 0, earned.amount_cents
  FROM (SELECT * FROM leads WHERE ${within('settled_at', span)}) lead ${creditedClick('lead')}
  JOIN commissions earned ON earned.program_id = lead.program_id AND earned.lead_id = lead.id`
