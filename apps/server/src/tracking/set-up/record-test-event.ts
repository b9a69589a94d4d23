import { type EventType, TEST_EVENT_ERROR_STATUS, TEST_EVENTS_PER_MINUTE, type TestOrigin } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Json } from '../../database/tables.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { countTestEventsSince, insertTestEvent } from '../../events/test-events.ts'
import { type IdempotentCall, runOnce } from '../../idempotency/idempotency-keys.ts'
import { lockProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'

type TestEvent = { programId: number | null; eventType: EventType; origin: TestOrigin | null; details: Json }

const MINUTE_MS = 60_000

/** Without a key there is nothing to be forbidden by: naming the wrong program is bad input. */
export const refusedTest = (code: keyof typeof TEST_EVENT_ERROR_STATUS, message: string) =>
  new Refusal(code, message, { status: TEST_EVENT_ERROR_STATUS[code], field: 'additional_data.program_id' })

/** A test event shows that a call arrives. It touches no customer, no counter and no money. */
export const recordTestEvent = (
  { db, clock }: { db: Database; clock: Clock },
  event: TestEvent,
  once: IdempotentCall | null = null,
) => inTransaction(db, (tx) => runOnce(tx, once, () => recordTestEventIn(tx, clock, event)))

/** As part of a longer story. */
export const recordTestEventIn = async (tx: Tx, clock: Clock, { programId, eventType, origin, details }: TestEvent) => {
  const createdAt = clock()
  // One at a time in a program, or sixty at once would all count fifty-nine before them.
  const program = programId === null ? undefined : await lockProgram(tx, programId)
  if (!program)
    throw refusedTest(
      'program_not_found',
      'Name your program in additional_data.program_id, which the script has of its data-program-id: the ID is in the program settings.',
    )
  const { id } = program
  const since = new Date(createdAt.getTime() - MINUTE_MS)
  if ((await countTestEventsSince(tx, { programId: id, since, origin })) >= TEST_EVENTS_PER_MINUTE)
    throw new Refusal(
      'rate_limited',
      `A program takes ${TEST_EVENTS_PER_MINUTE} test events a minute with its key or from its dashboard, and as many from anyone else. Try again in a minute.`,
      {
        retryAfterSeconds: 60,
      },
    )
  const eventId = await insertTestEvent(tx, { programId: id, eventType, origin, details, createdAt })
  return { eventId, programId: id }
}
