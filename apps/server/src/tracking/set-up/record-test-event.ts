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

/** Test calls may have no API key, so a wrong program is invalid input (400) rather than forbidden (403). */
export const testRefusal = (code: keyof typeof TEST_EVENT_ERROR_STATUS, message: string) =>
  new Refusal(code, message, { status: TEST_EVENT_ERROR_STATUS[code], field: 'additional_data.program_id' })

/** Shows that a call arrived. Test events never affect customers, counts or money. */
export const recordTestEvent = (
  { db, clock }: { db: Database; clock: Clock },
  event: TestEvent,
  once: IdempotentCall | null = null,
) => inTransaction(db, (tx) => runOnce(tx, once, () => recordTestEventIn(tx, clock, event)))

/** Like `recordTestEvent`, inside the caller's transaction. */
export const recordTestEventIn = async (tx: Tx, clock: Clock, { programId, eventType, origin, details }: TestEvent) => {
  const createdAt = clock()
  // The lock serializes a program's test events, so concurrent calls cannot exceed the limit.
  const program = programId === null ? undefined : await lockProgram(tx, programId)
  if (!program)
    throw testRefusal(
      'program_not_found',
      'additional_data.program_id is missing or unknown. Send the program ID from the program settings (the script takes it from data-program-id).',
    )
  const { id } = program
  const since = new Date(createdAt.getTime() - MINUTE_MS)
  if ((await countTestEventsSince(tx, { programId: id, since, origin })) >= TEST_EVENTS_PER_MINUTE)
    throw new Refusal(
      'rate_limited',
      `More than ${TEST_EVENTS_PER_MINUTE} test events in one minute for this program. Nothing was recorded; try again in a minute.`,
      {
        retryAfterSeconds: 60,
      },
    )
  const eventId = await insertTestEvent(tx, { programId: id, eventType, origin, details, createdAt })
  return { eventId, programId: id }
}
