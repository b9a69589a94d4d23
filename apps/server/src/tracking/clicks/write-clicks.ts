import type { ErrorCode } from '@tributary/contract'
import type pg from 'pg'
import { binaryArrays, type ElementType } from '../../database/sql/binary-arrays.ts'
import { isUniqueViolation } from '../../database/transient-errors.ts'

export type WrittenClick =
  | { refusal: Extract<ErrorCode, 'link_not_found' | 'link_misconfigured' | 'link_disabled' | 'consent_refused'> }
  | { refusal: null; click_id: string; partner_code: string; cookie_window_days: number }

/** One click, ready to be written. */
export type ClickRow = {
  id: string
  /** Used for the `click_id` if this click needs a new one. */
  token: string
  clickedAt: Date
  aff: string
  existingClickId: string | null
  /** Bit 0: the browser sends Global Privacy Control. The others: evidence (packages/contract/src/tracking/click-evidence.ts), which most clicks lack. */
  flags: number
  pageUrl: string | null
  pageTitle: string | null
  referrerUrl: string | null
  sessionId: string | null
  screenResolution: string | null
  viewportSize: string | null
  language: string | null
  timezone: string | null
  country: string | null
  region: string | null
  city: string | null
  device: string | null
  browser: string | null
  operatingSystem: string | null
  visitorHash: string | null
}

/** The columns of `input`, in the order of the statement's parameters. */
const COLUMNS: [name: string, type: ElementType, field: keyof ClickRow][] = [
  ['id', 'uuid', 'id'],
  ['token', 'text', 'token'],
  ['clicked_at', 'timestamptz', 'clickedAt'],
  ['aff', 'text', 'aff'],
  ['existing_click_id', 'text', 'existingClickId'],
  ['flags', 'integer', 'flags'],
  ['page_url', 'text', 'pageUrl'],
  ['page_title', 'text', 'pageTitle'],
  ['referrer_url', 'text', 'referrerUrl'],
  ['session_id', 'text', 'sessionId'],
  ['screen_resolution', 'text', 'screenResolution'],
  ['viewport_size', 'text', 'viewportSize'],
  ['language', 'text', 'language'],
  ['timezone', 'text', 'timezone'],
  ['country', 'text', 'country'],
  ['region', 'text', 'region'],
  ['city', 'text', 'city'],
  ['device', 'text', 'device'],
  ['browser', 'text', 'browser'],
  ['operating_system', 'text', 'operatingSystem'],
  ['visitor_hash', 'bytea', 'visitorHash'],
]
const DESCRIPTIVE = COLUMNS.slice(6)
  .map(([name]) => name)
  .join(', ')
const SLOT = `$${COLUMNS.length + 1}`
const PREFIX = `$${COLUMNS.length + 2}::text`

/** `unnest` in the SELECT list streams rows; `FROM unnest(…)` materializes the batch first and is about 20% slower. */
const INPUT = COLUMNS.map(([name, type], index) => `unnest($${index + 1}::${type}[]) AS ${name}`).join(', ')

/** One lookup per click; a join would compare every click of the batch with every known visitor. */
const KNOWN_VISITOR = `LATERAL (
    SELECT visitor.click_id, visitor.last_clicked_at FROM customers visitor
    WHERE visitor.program_id = checked.program_id AND visitor.click_id = checked.existing_click_id AND checked.refusal IS NULL
    FOR NO KEY UPDATE
  ) known ON known.last_clicked_at > checked.clicked_at - make_interval(days => checked.cookie_window_days)`
const NO_VISITOR = `(SELECT NULL::text AS click_id) known ON false`

const MOVED = `moved AS (
  UPDATE customers SET
    last_clicked_at = greatest(customers.last_clicked_at, latest.clicked_at),
    link_id = CASE WHEN latest.moves AND customer_status = 'click' THEN latest.link_id ELSE customers.link_id END,
    partner_id = CASE WHEN latest.moves AND customer_status = 'click' THEN latest.partner_id ELSE customers.partner_id END,
    credited_click_at = CASE WHEN latest.moves AND customer_status = 'click' THEN latest.clicked_at ELSE credited_click_at END
  FROM (
    SELECT DISTINCT ON (program_id, click_id) program_id, click_id, clicked_at, link_id, partner_id,
      attribution_model = 'last_click' AS moves
    FROM click WHERE refusal IS NULL AND reused AND NOT crawler
    ORDER BY program_id, click_id, clicked_at DESC, position DESC) latest
  WHERE customers.program_id = latest.program_id AND customers.click_id = latest.click_id
), `

/**
 * Checks, attributes, stores and counts a whole batch of clicks in one statement.
 *
 * - `link` and `partner` take share locks. A call that disables either waits for batches that saw it active, and later batches
 *   wait for that call to commit, so no click is recorded after the call is answered.
 * - `partner` uses one lookup per partner; a join would read every partner for each batch.
 * - `click` locks known visitors in a fixed order, so two batches with the same visitors cannot deadlock.
 * - A crawler's click is stored as an event only: no customer, no count.
 * - `counted` writes in a fixed order, because two services on one database share the same slots.
 * - A retried row is recognized by its event ID; only rows that `event` inserted are counted.
 */
export const clickStatement = ({ mayBeKnown, mayBeStored }: { mayBeKnown: boolean; mayBeStored: boolean }) => `
WITH link AS MATERIALIZED (
  SELECT id, aff, program_id, partner_id, active FROM referral_links WHERE aff = ANY ($4::text[]) ORDER BY id FOR SHARE
), partner AS MATERIALIZED (
  SELECT partner.* FROM (SELECT DISTINCT program_id, partner_id FROM link ORDER BY program_id, partner_id) named
  CROSS JOIN LATERAL (
    SELECT owner.program_id, owner.id, owner.code, owner.status, owner.archived FROM partners owner
    WHERE owner.program_id = named.program_id AND owner.id = named.partner_id FOR SHARE
  ) partner
), checked AS (
  SELECT input.*, link.id AS link_id, program.id AS program_id, partner.id AS partner_id, partner.code AS partner_code,
    program.cookie_window_days, program.attribution_model,
    (input.clicked_at AT TIME ZONE program.timezone)::date AS day,
    CASE
      WHEN link.id IS NULL THEN 'link_not_found'
      WHEN program.id IS NULL OR partner.id IS NULL THEN 'link_misconfigured'
      WHEN NOT link.active OR partner.archived OR partner.status IN ('rejected', 'suspended') THEN 'link_disabled'
      WHEN input.flags & 1 = 1 AND program.respect_global_privacy_control THEN 'consent_refused'
    END AS refusal
  FROM (SELECT ${INPUT}, generate_subscripts($1::uuid[], 1) AS position) input
  LEFT JOIN link ON link.aff = input.aff
  LEFT JOIN programs program ON program.id = link.program_id
  LEFT JOIN partner ON partner.program_id = link.program_id AND partner.id = link.partner_id
  ${mayBeKnown ? 'ORDER BY program.id, input.existing_click_id COLLATE "C"' : ''}
), click AS MATERIALIZED (
  SELECT checked.*, checked.device IS NOT DISTINCT FROM 'bot' AS crawler, known.click_id IS NOT NULL AS reused,
    coalesce(known.click_id, ${PREFIX} || checked.program_id || '_' || checked.token) AS click_id
  FROM checked LEFT JOIN ${mayBeKnown ? KNOWN_VISITOR : NO_VISITOR}
), created AS (
  INSERT INTO customers (program_id, click_id, link_id, partner_id, credited_click_at, first_clicked_at, last_clicked_at)
  SELECT program_id, click_id, link_id, partner_id, clicked_at, clicked_at, clicked_at FROM click
  WHERE refusal IS NULL AND NOT reused AND NOT crawler
  ${mayBeStored ? 'ON CONFLICT (program_id, click_id) DO NOTHING' : ''}
), ${mayBeKnown ? MOVED : ''}event AS (
  INSERT INTO click_events (program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, evidence, ${DESCRIPTIVE})
  SELECT program_id, id, clicked_at, day, click_id, link_id, partner_id, reused, nullif(flags >> 1, 0)::smallint, ${DESCRIPTIVE} FROM click
  WHERE refusal IS NULL
  ${mayBeStored ? 'ON CONFLICT DO NOTHING' : ''}
  RETURNING program_id, link_id, partner_id, day, clicked_at, device
), counted AS (
  INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, clicks, last_clicked_at)
  SELECT program_id, link_id, partner_id, day, ${SLOT}::smallint, count(*), max(clicked_at) FROM event
  WHERE device IS DISTINCT FROM 'bot'
  GROUP BY program_id, link_id, partner_id, day
  ORDER BY program_id, link_id, partner_id, day
  ON CONFLICT (program_id, link_id, partner_id, day, slot) DO UPDATE SET
    clicks = daily_counts.clicks + excluded.clicks,
    last_clicked_at = greatest(daily_counts.last_clicked_at, excluded.last_clicked_at)
)
SELECT refusal, CASE WHEN refusal IS NULL THEN click_id END AS click_id, partner_code, cookie_window_days
FROM click ORDER BY position`

const ARRAYS = COLUMNS.map(([, type, field]) => ({ type, of: (row: ClickRow) => row[field] }))

const prepared = (name: string, mayBe: Parameters<typeof clickStatement>[0]) => ({ name, text: clickStatement(mayBe) })
// Most visitors are new, and a batch of only new visitors takes a quarter less time.
const WRITE_NEW = prepared('write-new-clicks', { mayBeKnown: false, mayBeStored: false })
const WRITE = prepared('write-clicks', { mayBeKnown: true, mayBeStored: false })
const WRITE_AGAIN = prepared('write-clicks-again', { mayBeKnown: true, mayBeStored: true })

/**
 * Writes a batch of clicks and returns one result per row, in order. Rows that are already stored do not change. New click IDs start
 * with `prefix`.
 */
export const writeClicks = async (
  pool: pg.Pool,
  rows: ClickRow[],
  slot: number,
  prefix = '',
): Promise<WrittenClick[]> => {
  const values = [...binaryArrays(rows, ARRAYS), slot, prefix]
  const isKnown = rows.some((row) => row.existingClickId !== null)
  try {
    return (await pool.query<WrittenClick>({ ...(isKnown ? WRITE : WRITE_NEW), values })).rows
  } catch (error) {
    // A retry after a lost connection. Checking every row up front would cost Postgres a tenth of its time.
    if (!isUniqueViolation(error)) throw error
    return (await pool.query<WrittenClick>({ ...WRITE_AGAIN, values })).rows
  }
}
