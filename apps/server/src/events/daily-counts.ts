import { sql } from 'kysely'
import { columnsOf } from '../database/columns.ts'
import { gatheredLast } from '../database/side-by-side.ts'

export type Counted = {
  programId: number
  linkId: number
  partnerId: number
  day: string
  leads?: number
  sales?: number
}

/** Below 0, where no writer of clicks has its slot: a lead that holds a click's record must never wait for such a writer. */
const MONEY_SLOTS = 16
const anySlot = () => -1 - Math.floor(Math.random() * MONEY_SLOTS)

type Row = Required<Counted>

/** Adds leads and sales to the counts of their day, at the end of the transaction that makes them. */
export const count = gatheredLast(async (tx, all: Counted[][]) => {
  const rows = all.flat().map((one) => ({ leads: 0, sales: 0, ...one }))
  const sums = [...Map.groupBy(rows, keyOf).values()].map(sumOf).toSorted(byKey)
  const column = columnsOf(sums)
  if (sums.length > 0)
    await sql`
      INSERT INTO daily_counts (program_id, link_id, partner_id, day, slot, leads, sales)
      SELECT program_id, link_id, partner_id, day, ${anySlot()}, leads, sales
      FROM unnest(${column('programId', 'integer')}, ${column('linkId', 'integer')}, ${column('partnerId', 'integer')},
        ${column('day', 'date')}, ${column('leads', 'bigint')}, ${column('sales', 'bigint')})
        AS counted(program_id, link_id, partner_id, day, leads, sales)
      ON CONFLICT (program_id, link_id, partner_id, day, slot) DO UPDATE
      SET leads = daily_counts.leads + excluded.leads, sales = daily_counts.sales + excluded.sales`.execute(tx)
  return all
})

const keyOf = ({ programId, linkId, partnerId, day }: Row) => `${programId} ${linkId} ${partnerId} ${day}`

const sumOf = (rows: Row[]): Row => {
  const sum = (name: 'leads' | 'sales') => rows.reduce((total, row) => total + row[name], 0)
  return { ...(rows[0] as Row), leads: sum('leads'), sales: sum('sales') }
}

/** One order for all, so that two transactions that count several rows cannot deadlock. */
const byKey = (a: Row, b: Row) =>
  a.programId - b.programId || a.linkId - b.linkId || a.partnerId - b.partnerId || a.day.localeCompare(b.day)
