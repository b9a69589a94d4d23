import { type EventType, TEST_EVENTS_PER_MINUTE } from '@tributary/contract'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Json } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { countTestEventsSince, insertTestEvent } from '../events/test-events.ts'
import { lockProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'

type TestEvent = { programId: number; eventType: EventType; details: Json }

const MINUTE_MS = 60_000

/** A test event shows that a call arrives. It touches no customer, no counter and no money. */
export const recordTestEvent = (
  { db, clock }: { db: Database; clock: Clock },
  { programId, eventType, details }: TestEvent,
) =>
  inTransaction(db, async (tx) => {
    const createdAt = clock()
    // One at a time in a program, or sixty at once would all count fifty-nine before them.
    const program = await lockProgram(tx, programId)
    if (!program) return null
    const since = new Date(createdAt.getTime() - MINUTE_MS)
    if ((await countTestEventsSince(tx, { programId, since })) >= TEST_EVENTS_PER_MINUTE)
      throw new Refusal(
        'rate_limited',
        `A program takes ${TEST_EVENTS_PER_MINUTE} test events a minute. Wait a little and try again.`,
        {
          retryAfterSeconds: 60,
        },
      )
    const eventId = await insertTestEvent(tx, { programId, eventType, details, createdAt })
    return { eventId, programId }
  })
