import type { EventsQuery, EventType, TrackingEvent } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'

export type EventRow = Omit<TrackingEvent, 'timestamp'> & { timestamp: Date }

/** Maps each kind of event to one shape (id, timestamp, clickId, customerKey, linkId, partnerId, details). */
export const SOURCES = {
  click: {
    time: 'clicked_at',
    name: 'click',
    id: 'click.id',
    columns: `click.id::text AS id, clicked_at AS timestamp, click_id, NULL::text AS customer_key, link_id, partner_id,
      jsonb_strip_nulls(jsonb_build_object('reused', reused, 'pageUrl', page_url, 'pageTitle', page_title, 'referrerUrl', referrer_url,
        'sessionId', session_id, 'screenResolution', screen_resolution, 'viewportSize', viewport_size, 'language', language,
        'timezone', timezone, 'country', country, 'region', region, 'city', city, 'device', device, 'browser', browser,
        'operatingSystem', operating_system)) AS details`,
    from: 'click_events click',
    joined: '',
  },
  lead: {
    time: 'lead.created_at',
    name: 'lead',
    id: 'lead.id',
    columns: `lead.id::text AS id, lead.created_at AS timestamp, lead.click_id, customer.customer_key, lead.link_id, lead.partner_id,
      jsonb_strip_nulls(jsonb_build_object('state', state, 'settledBy', settled_by, 'confirmedBy', confirmed_by, 'settledAt', to_char(settled_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'email', customer.email_masked)) AS details`,
    from: 'leads lead',
    // Every lead has a customer, so the join is needed only for the rows on the page, not for counting.
    joined: 'JOIN customers customer USING (program_id, click_id)',
  },
  sale: {
    time: 'sold_at',
    name: 'sale',
    id: 'sale.id',
    columns: `sale.id::text AS id, sold_at AS timestamp, click_id, customer_key, link_id, partner_id,
      jsonb_strip_nulls(jsonb_build_object('invoiceId', invoice_id, 'amountCents', amount_cents, 'currency', currency,
        'attributed', credit_source IS NOT NULL, 'creditedBy', credit_source, 'promotionCode', promotion_code, 'reason', reason, 'eventName', event_name, 'subscriptionId', subscription_id,
        'assignedTo', (
          SELECT partner.name FROM adjustments assigned
          JOIN partners partner ON partner.program_id = assigned.program_id AND partner.id = assigned.partner_id
          WHERE assigned.program_id = sale.program_id AND assigned.sale_id = sale.id AND assigned.type IN ('credit', 'move')
            AND NOT EXISTS (SELECT FROM adjustment_reversals reversal
              WHERE reversal.program_id = assigned.program_id AND reversal.adjustment_id = assigned.id)
          ORDER BY assigned.id DESC LIMIT 1)))
        -- The merchant's metadata is returned unchanged, including nulls.
        || CASE WHEN metadata IS NULL THEN '{}' ELSE jsonb_build_object('metadata', metadata) END AS details`,
    from: '(SELECT * FROM sales WHERE voided_at IS NULL) sale',
    joined: '',
  },
} as const satisfies Record<EventType, object>

/** Test events are stored with wire names and returned with the names of real events. */
export const TEST_SOURCE = {
  time: 'created_at',
  name: 'test',
  id: 'test.id',
  columns: `test.id::text AS id, created_at AS timestamp, details->>'click_id' AS click_id, details->>'customer_key' AS customer_key,
  NULL::integer AS link_id, NULL::integer AS partner_id,
  jsonb_strip_nulls(jsonb_build_object('aff', details->'aff', 'pageUrl', details->'page_url', 'from', details->'from',
    'invoiceId', details->'invoice_id', 'amountCents', details->'amount', 'references', details->'references')) AS details`,
  from: 'test_events test',
  joined: '',
} as const

/** One kind of event, test or real; `rank` orders events with the same timestamp. */
export type Source = {
  type: EventType
  test: boolean
  rank: number
  name: string
  time: string
  id: string
  columns: string
  from: string
  joined: string
}

const TYPES: EventType[] = ['click', 'lead', 'sale']

export const sourcesOf = ({ eventType, test }: { eventType?: EventType; test?: 'true' | 'false' }): Source[] =>
  TYPES.flatMap((type, index) => [
    { type, test: false, rank: index, ...SOURCES[type] },
    { type, test: true, rank: index + TYPES.length, ...TEST_SOURCE },
  ]).filter(
    (source) => (!eventType || source.type === eventType) && (test === undefined || source.test === (test === 'true')),
  )

export const selectEvent = (source: Source): RawBuilder<unknown> => sql`
  SELECT ${sql.lit(source.type)} AS event_type, ${sql.lit(source.test)} AS test, ${sql.lit(source.rank)} AS rank,
    to_char(${sql.raw(source.time)}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS exactly, ${sql.raw(source.columns)}`

/** With its sort position: rank, and the timestamp to the microsecond. */
export type PlacedRow = EventRow & { rank: number; exactly: string }

export const toTrackingEvent = ({ timestamp, rank: _, exactly: __, ...event }: PlacedRow): TrackingEvent => ({
  ...event,
  timestamp: timestamp.toISOString(),
})

export type Filter = Pick<EventsQuery, 'dateFrom' | 'dateTo' | 'partnerId' | 'linkId' | 'country' | 'search'>
