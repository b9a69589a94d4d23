import type { EventReason } from '@tributary/contract'
import type { Database } from '../database/connect.ts'

type Stray = {
  processor: string
  eventId: string
  type: string
  accountId: string | null
  createdAt: Date
  receivedAt: Date
  payload: Buffer
  reason: EventReason
}

/** A genuine event that belongs to nobody here. Kept all the same, once. */
export const keepStray = async (db: Database, stray: Stray) => {
  await db
    .insertInto('processorStrays')
    .values(stray)
    .onConflict((conflict) => conflict.column('eventId').doNothing())
    .execute()
}
