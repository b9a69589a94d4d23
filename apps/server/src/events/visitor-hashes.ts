import { sql } from 'kysely'
import { columnsOf } from '../database/columns.ts'
import { gathered, inPlace } from '../database/side-by-side.ts'

const DAY_MS = 86_400_000

type Asked = { programId: number; record: { clickId: string; lastClickedAt: Date } }

/** Who made the latest click of a record, as far as one day can tell people apart. */
export const visitorHashOf = gathered(async (tx, asked: Asked[]) => {
  // Clicks are kept by month, and the records know in which to look. A day more, for two clocks may differ.
  const moments = asked.map(({ record }) => record.lastClickedAt.getTime())
  const [since, until] = [new Date(Math.min(...moments) - DAY_MS), new Date(Math.max(...moments) + DAY_MS)]
  const column = columnsOf(asked.map(({ programId, record }) => ({ programId, clickId: record.clickId })))
  const { rows } = await sql<{ nth: number; visitorHash: Uint8Array | null }>`
    SELECT nth, click.visitor_hash FROM unnest(${column('programId', 'integer')},
      ${column('clickId', 'text')}) WITH ORDINALITY AS record(program_id, click_id, nth)
    CROSS JOIN LATERAL (
      SELECT visitor_hash FROM click_events
      WHERE click_events.program_id = record.program_id AND click_events.click_id = record.click_id
        AND clicked_at BETWEEN ${since} AND ${until} AND device IS DISTINCT FROM 'bot'
      ORDER BY clicked_at DESC LIMIT 1) click`.execute(tx)
  return inPlace(rows, asked).map((row) => row?.visitorHash ?? null)
})
