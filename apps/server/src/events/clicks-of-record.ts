import { sql } from 'kysely'
import { columnsOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'

const MAX_NEWEST = 50
const MAX_AFTER = 10

type RecordQuery = {
  programId: number
  record: { clickId: string; firstClickedAt: Date; lastClickedAt: Date; creditedClickAt: Date }
  at: Date
  clicks?: ClickOfRecord[]
  visitorHash?: Uint8Array | null
}

type ClickOfRecord = { id: string; linkId: number; partnerId: number; clickedAt: Date; evidence?: number }
type Row = Omit<ClickOfRecord, 'evidence'> & {
  position: number
  visitorHash: Uint8Array | null
  evidence: number | null
}

/**
 * SQL fragment over the alias `record` (program_id, click_id, first_clicked_at, last_clicked_at, credited_click_at, at). Selects the
 * clicks that can matter: the newest before `at`, the first, the credited one, and a few after `at`. The time range lets Postgres
 * skip partitions, with a day of margin for clock differences.
 */
export const relevantClicks = sql`
  SELECT id, link_id, partner_id, clicked_at, visitor_hash, evidence FROM (
    SELECT id, link_id, partner_id, clicked_at, visitor_hash, evidence, row_number() OVER (ORDER BY clicked_at, id) AS from_first,
      row_number() OVER (PARTITION BY clicked_at > record.at ORDER BY clicked_at, id) AS from_oldest,
      row_number() OVER (PARTITION BY clicked_at > record.at ORDER BY clicked_at DESC, id DESC) AS from_newest
    FROM click_events
    WHERE click_events.program_id = record.program_id AND click_events.click_id = record.click_id
      AND clicked_at BETWEEN record.first_clicked_at - interval '1 day' AND record.last_clicked_at + interval '1 day'
      AND device IS DISTINCT FROM 'bot') one
  WHERE from_first = 1 OR clicked_at = record.credited_click_at
    OR (clicked_at <= record.at AND from_newest <= ${MAX_NEWEST}) OR (clicked_at > record.at AND from_oldest <= ${MAX_AFTER})`

/** Most clicks have no evidence, and decisions store clicks. */
export const toClick = ({
  id,
  linkId,
  partnerId,
  clickedAt,
  evidence,
}: Omit<Row, 'position' | 'visitorHash'>): ClickOfRecord => ({
  id,
  linkId,
  partnerId,
  clickedAt,
  ...(evidence !== null && { evidence }),
})

/** Fills in the relevant clicks of each record, and the visitor hash of the newest one before `at`. */
export const findClicksOfRecords = async (tx: Tx, queries: RecordQuery[]) => {
  if (queries.length === 0) return
  const column = columnsOf(queries.map(({ programId, record, at }) => ({ ...record, programId, at })))
  const { rows } = await sql<Row>`
    SELECT position, click.* FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')},
      ${column('firstClickedAt', 'timestamptz')}, ${column('lastClickedAt', 'timestamptz')},
      ${column('creditedClickAt', 'timestamptz')}, ${column('at', 'timestamptz')})
      WITH ORDINALITY AS record(program_id, click_id, first_clicked_at, last_clicked_at, credited_click_at, at, position)
    CROSS JOIN LATERAL (${relevantClicks}) click
    ORDER BY position, clicked_at, id`.execute(tx)
  const byRecord = Map.groupBy(rows, ({ position }) => position)
  for (const [index, query] of queries.entries()) {
    const found = byRecord.get(index + 1) ?? []
    const newest = found.findLast(({ clickedAt }) => clickedAt <= query.at) ?? found[0]
    query.clicks = found.map(toClick)
    query.visitorHash = newest?.visitorHash ?? null
  }
}

type ClickRange = { programId: number; clickId: string; range: [Date, Date] }

/** Whether the visitor clicked after the earlier time of the range and no later than the other. */
export const wasClickedBetween = async (tx: Tx, { programId, clickId, range }: ClickRange) => {
  const [from, until] = range.toSorted((a, b) => a.getTime() - b.getTime())
  const { rows } = await sql`
    SELECT FROM click_events WHERE program_id = ${programId} AND click_id = ${clickId}
      AND clicked_at > ${from} AND clicked_at <= ${until} AND device IS DISTINCT FROM 'bot' LIMIT 1`.execute(tx)
  return rows.length > 0
}

type OwnedRecord = { programId: number; record: RecordQuery['record'] & { partnerId: number } }

/**
 * Since when the record has belonged to its partner: their first click after the last click on another partner's link, up to the
 * credited click. If earlier clicks were dropped, the oldest remaining one counts.
 */
export const ownedSince = async (tx: Tx, { programId, record }: OwnedRecord) => {
  const { clickId, partnerId, firstClickedAt, creditedClickAt } = record
  const { rows } = await sql<{ since: Date | null }>`
    WITH click AS (
      SELECT click_events.partner_id, click_events.clicked_at FROM click_events
      WHERE click_events.program_id = ${programId} AND click_events.click_id = ${clickId}
        AND click_events.clicked_at BETWEEN ${firstClickedAt} AND ${creditedClickAt}
        AND click_events.device IS DISTINCT FROM 'bot')
    SELECT min(click.clicked_at) AS since FROM click
    WHERE click.partner_id = ${partnerId} AND click.clicked_at > coalesce(
      (SELECT max(another.clicked_at) FROM click another WHERE another.partner_id <> ${partnerId}), '-infinity')`.execute(
    tx,
  )
  return rows[0]?.since ?? creditedClickAt
}
