import type pg from 'pg'
import { copyRows, rowOf } from './copy.ts'
import type { Link } from './outcomes.ts'

const DAY_MS = 86_400_000
const CLICK_SLOT = 0
const MONEY_SLOT = -1

/** Counts as the service keeps them: by link and day, held in memory while the events are written. */
export const countsOf = (links: Link[], since: Date, until: Date) => {
  const firstDay = Math.floor(since.getTime() / DAY_MS)
  const days = Math.floor(until.getTime() / DAY_MS) - firstDay + 1
  const cells = links.length * days
  const [clicks, leads, sales] = [new Int32Array(cells), new Int32Array(cells), new Int32Array(cells)]
  const lastMs = new Float64Array(cells)
  const cellOf = (linkIndex: number, atMs: number) => linkIndex * days + Math.floor(atMs / DAY_MS) - firstDay
  const add = (counts: Int32Array, cell: number) => {
    counts[cell] = (counts[cell] ?? 0) + 1
  }

  /** Day by day, as they came: what is read together lies together. */
  const rows = function* (programId: number) {
    for (let day = 0; day < days; day++) {
      const name = new Date((firstDay + day) * DAY_MS).toISOString().slice(0, 10)
      for (const [index, { id, partnerId }] of links.entries()) {
        const cell = index * days + day
        const place = [programId, id, partnerId, name]
        if (clicks[cell])
          yield rowOf([...place, CLICK_SLOT, clicks[cell], 0, 0, new Date(lastMs[cell] ?? 0).toISOString()])
        if (leads[cell] || sales[cell]) yield rowOf([...place, MONEY_SLOT, 0, leads[cell] ?? 0, sales[cell] ?? 0, null])
      }
    }
  }
  return {
    click: (linkIndex: number, atMs: number) => {
      const cell = cellOf(linkIndex, atMs)
      add(clicks, cell)
      lastMs[cell] = atMs
    },
    lead: (linkIndex: number, atMs: number) => add(leads, cellOf(linkIndex, atMs)),
    sale: (linkIndex: number, atMs: number) => add(sales, cellOf(linkIndex, atMs)),
    /** Added to what the table has. */
    write: async (client: pg.Client, programId: number) => {
      await client.query('CREATE TEMP TABLE filled (LIKE daily_counts)')
      await copyRows(
        client,
        'filled (program_id, link_id, partner_id, day, slot, clicks, leads, sales, last_clicked_at)',
        rows(programId),
      )
      await client.query(`
        INSERT INTO daily_counts SELECT * FROM filled
        ON CONFLICT (program_id, link_id, partner_id, day, slot) DO UPDATE SET clicks = daily_counts.clicks + excluded.clicks,
          leads = daily_counts.leads + excluded.leads, sales = daily_counts.sales + excluded.sales,
          last_clicked_at = greatest(daily_counts.last_clicked_at, excluded.last_clicked_at)`)
      await client.query('DROP TABLE filled')
    },
  }
}
