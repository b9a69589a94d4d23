import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

const NEWEST = 50
const AFTER = 10
const DAY_MS = 86_400_000

type Asked = {
  programId: number
  record: { clickId: string; firstClickedAt: Date; lastClickedAt: Date; creditedClickAt: Date }
  at: Date
}

export type ClickOfRecord = { id: string; linkId: number; partnerId: number; clickedAt: Date }

/**
 * The clicks that a decision looks at. A visitor may have clicked a thousand times; those that can matter are the newest by
 * that time, the first, the one that has the credit, and, to say that they came too late, the first few after.
 */
export const clicksOfRecord = async (tx: Tx, { programId, record, at }: Asked) => {
  // Clicks are kept by month, and the record knows in which months to look. A day more, for two clocks may differ.
  const [since, until] = [
    new Date(record.firstClickedAt.getTime() - DAY_MS),
    new Date(record.lastClickedAt.getTime() + DAY_MS),
  ]
  const { rows } = await sql<ClickOfRecord>`
    SELECT id, link_id, partner_id, clicked_at FROM (
      SELECT id, link_id, partner_id, clicked_at, row_number() OVER (ORDER BY clicked_at, id) AS nth,
        row_number() OVER (PARTITION BY clicked_at > ${at} ORDER BY clicked_at, id) AS from_oldest,
        row_number() OVER (PARTITION BY clicked_at > ${at} ORDER BY clicked_at DESC, id DESC) AS from_newest
      FROM click_events
      WHERE program_id = ${programId} AND click_id = ${record.clickId} AND clicked_at BETWEEN ${since} AND ${until}
        AND device IS DISTINCT FROM 'bot') click
    WHERE nth = 1 OR clicked_at = ${record.creditedClickAt}
      OR (clicked_at <= ${at} AND from_newest <= ${NEWEST}) OR (clicked_at > ${at} AND from_oldest <= ${AFTER})
    ORDER BY clicked_at, id`.execute(tx)
  return rows
}
