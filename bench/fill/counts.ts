import type pg from 'pg'
import { copyRows, rowOf } from './copy.ts'
import type { Link } from './outcomes.ts'

const DAY_MS = 86_400_000
const CLICK_SLOT = 0

/** Counts clicks by link and day like the service, in memory while the events are written. */
export const countsOf = (links: Link[], since: Date, until: Date) => {
  const firstDay = Math.floor(since.getTime() / DAY_MS)
  const days = Math.floor(until.getTime() / DAY_MS) - firstDay + 1
  const cells = links.length * days
  const clicks = new Int32Array(cells)
  const lastMs = new Float64Array(cells)
  const cellOf = (linkIndex: number, atMs: number) => linkIndex * days + Math.floor(atMs / DAY_MS) - firstDay

  /** Day by day, so that rows read together are stored together. */
  const rows = function* (programId: number) {
    for (let day = 0; day < days; day++) {
      const name = new Date((firstDay + day) * DAY_MS).toISOString().slice(0, 10)
      for (const [index, { id, partnerId }] of links.entries()) {
        const cell = index * days + day
        const last = new Date(lastMs[cell] ?? 0).toISOString()
        if (clicks[cell]) yield rowOf([programId, id, partnerId, name, CLICK_SLOT, clicks[cell], last])
      }
    }
  }
  return {
    click: (linkIndex: number, atMs: number) => {
      const cell = cellOf(linkIndex, atMs)
      clicks[cell] = (clicks[cell] ?? 0) + 1
      lastMs[cell] = atMs
    },
    /** Adds to the counts in the table. The roll-up counts leads and sales on the marked days. */
    write: async (client: pg.Client, programId: number) => {
      await client.query('CREATE TEMP TABLE filled (LIKE daily_counts)')
      await copyRows(
        client,
        'filled (program_id, link_id, partner_id, day, slot, clicks, last_clicked_at)',
        rows(programId),
      )
      await client.query(`
        INSERT INTO daily_counts SELECT * FROM filled
        ON CONFLICT (program_id, link_id, partner_id, day, slot) DO UPDATE SET clicks = daily_counts.clicks + excluded.clicks,
          last_clicked_at = greatest(daily_counts.last_clicked_at, excluded.last_clicked_at)`)
      await client.query('DROP TABLE filled')
      await client.query(
        `INSERT INTO changed_days (program_id, day)
         SELECT program_id, day FROM leads WHERE program_id = $1 AND settled_at IS NOT NULL
         UNION SELECT program_id, day FROM sales WHERE program_id = $1 AND click_id IS NOT NULL`,
        [programId],
      )
    },
  }
}
