import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

export type Counted = { linkId: number; partnerId: number; day: string; leads?: number; sales?: number }

/** Below 0, where no writer of clicks has its slot: a lead that holds a click's record must never wait for such a writer. */
const MONEY_SLOTS = 16
const anySlot = () => -1 - Math.floor(Math.random() * MONEY_SLOTS)

/** Adds leads and sales to the counts of their day, in the transaction that makes them. */
export const count = async (tx: Tx, programId: number, rows: Counted[]) => {
  const slot = anySlot()
  for (const { linkId, partnerId, day, leads = 0, sales = 0 } of rows.toSorted(byKey)) {
    await tx
      .insertInto('dailyCounts')
      .values({ programId, linkId, partnerId, day, slot, leads, sales })
      .onConflict((conflict) =>
        conflict.columns(['programId', 'linkId', 'partnerId', 'day', 'slot']).doUpdateSet({
          leads: sql`daily_counts.leads + excluded.leads`,
          sales: sql`daily_counts.sales + excluded.sales`,
        }),
      )
      .execute()
  }
}

/** One order for all, so that two transactions that count several rows cannot deadlock. */
const byKey = (a: Counted, b: Counted) => a.linkId - b.linkId || a.partnerId - b.partnerId || a.day.localeCompare(b.day)
