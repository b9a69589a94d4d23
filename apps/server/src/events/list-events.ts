import type { EventsQuery, TrackingEvent } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Program } from '../programs/programs.ts'

type Row = Omit<TrackingEvent, 'timestamp'> & { timestamp: Date }

/** Each kind of event as one shape: id, timestamp, clickId, customerKey, linkId, partnerId, details, and its table's time column. */
const SOURCES = {
  click: {
    test: false,
    time: 'clicked_at',
    columns: `click.id::text AS id, clicked_at AS timestamp, click_id, NULL::text AS customer_key, link_id, partner_id,
      jsonb_strip_nulls(jsonb_build_object('reused', reused, 'pageUrl', page_url, 'pageTitle', page_title, 'referrerUrl', referrer_url,
        'sessionId', session_id, 'screenResolution', screen_resolution, 'viewportSize', viewport_size, 'language', language,
        'timezone', timezone, 'country', country, 'region', region, 'city', city, 'device', device, 'browser', browser,
        'operatingSystem', operating_system)) AS details`,
    from: 'click_events click',
  },
  lead: {
    test: false,
    time: 'lead.created_at',
    columns: `lead.id::text AS id, lead.created_at AS timestamp, lead.click_id, customer.customer_key, lead.link_id, lead.partner_id,
      jsonb_strip_nulls(jsonb_build_object('state', state, 'settledBy', settled_by, 'settledAt', to_char(settled_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'email', customer.email_masked)) AS details`,
    from: 'leads lead JOIN customers customer USING (program_id, click_id)',
  },
  sale: {
    test: false,
    time: 'sold_at',
    columns: `id::text AS id, sold_at AS timestamp, click_id, customer_key, link_id, partner_id,
      jsonb_strip_nulls(jsonb_build_object('invoiceId', invoice_id, 'amountCents', amount_cents, 'currency', currency,
        'attributed', click_id IS NOT NULL, 'reason', reason, 'eventName', event_name, 'subscriptionId', subscription_id,
        'metadata', metadata)) AS details`,
    from: 'sales sale',
  },
} as const

const TEST_COLUMNS = `id::text AS id, created_at AS timestamp, NULL::text AS click_id, NULL::text AS customer_key,
  NULL::integer AS link_id, NULL::integer AS partner_id, details`

/** A date alone is a day of the program: from its first moment, and up to its last. */
const boundary = (text: string, timezone: string, days: number): RawBuilder<Date> =>
  /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? sql`((${text}::date + ${days}::integer)::timestamp AT TIME ZONE ${timezone})`
    : sql`${new Date(text)}::timestamptz`

/** Clicks, leads and sales of a program as one stream, newest first; test events among them and marked as such. */
export const listEvents = async (db: Database, { program, ...query }: { program: Program } & EventsQuery) => {
  const { page, pageSize, eventType, dateFrom, dateTo } = query
  const within = (time: string) => sql`program_id = ${program.id}
    ${dateFrom ? sql`AND ${sql.raw(time)} >= ${boundary(dateFrom, program.timezone, 0)}` : sql``}
    ${dateTo ? sql`AND ${sql.raw(time)} < ${boundary(dateTo, program.timezone, 1)}` : sql``}`
  const types = eventType ? [eventType] : (['click', 'lead', 'sale'] as const)
  const offset = (page - 1) * pageSize

  const parts = types.flatMap((type) => {
    const { time, columns, from } = SOURCES[type]
    return [
      sql`(SELECT ${sql.lit(type)} AS event_type, false AS test, ${sql.raw(columns)} FROM ${sql.raw(from)}
        WHERE ${within(time)} ORDER BY ${sql.raw(time)} DESC LIMIT ${offset + pageSize})`,
      sql`(SELECT event_type, true AS test, ${sql.raw(TEST_COLUMNS)} FROM test_events
        WHERE event_type = ${type} AND ${within('created_at')} ORDER BY created_at DESC LIMIT ${offset + pageSize})`,
    ]
  })
  const list = sql<Row>`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) event
    ORDER BY timestamp DESC, test, id DESC LIMIT ${pageSize} OFFSET ${offset}`

  const counts = types.flatMap((type) => {
    const { time, from } = SOURCES[type]
    // Without dates the clicks are as many as were counted, and crawlers: nobody has to walk through millions of them.
    const counted =
      type === 'click' && !dateFrom && !dateTo
        ? countedClicks(program)
        : sql`SELECT count(*) AS total FROM ${sql.raw(from)} WHERE ${within(time)}`
    return [
      counted,
      sql`SELECT count(*) AS total FROM test_events WHERE event_type = ${type} AND ${within('created_at')}`,
    ]
  })
  const sum = sql<{
    total: number
  }>`SELECT sum(total)::bigint AS total FROM (${sql.join(counts, sql` UNION ALL `)}) counted`

  const [{ rows }, { rows: totals }] = await Promise.all([list.execute(db), sum.execute(db)])
  return {
    rows: rows.map((row) => ({ ...row, timestamp: row.timestamp.toISOString() })),
    total: totals[0]?.total ?? 0,
  }
}

/** Counted and not dropped since (database/retention.ts): what is left of the last day that lost some is counted one by one. */
const countedClicks = ({ id, timezone }: Program) => sql`
  SELECT coalesce(sum(clicks), 0)::bigint + (SELECT count(*) FROM click_events WHERE program_id = ${id} AND device = 'bot')
    + (SELECT count(*) FROM click_events WHERE program_id = ${id} AND device IS DISTINCT FROM 'bot'
        AND clicked_at < kept.since + interval '2 days' AND day <= kept.day) AS total
  FROM (SELECT (SELECT kept_since FROM click_retention) AS since) retention,
    LATERAL (SELECT coalesce(since, '-infinity') AS since, (since AT TIME ZONE ${timezone})::date AS day) kept
  LEFT JOIN daily_counts ON program_id = ${id} AND (kept.day IS NULL OR daily_counts.day > kept.day)
  GROUP BY kept.since, kept.day`
