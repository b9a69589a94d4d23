import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { isTransientError } from '../../database/transient-errors.ts'
import type { Log } from '../../log.ts'
import { databaseTime } from '../time.ts'
import { type Claimed, release } from './claim.ts'
import { type Attempt, recordAttempts } from './record.ts'

const MAX_BATCH = 500

/** Results that wait to be written. Those that arrive during a write are written together by the next one. */
export const createResults = ({ db, clock, log }: { db: Database; clock: Clock; log: Log }) => {
  const attempts: Attempt[] = []
  const returned: Claimed[] = []
  let batchSize = MAX_BATCH

  const writeAttempts = async () => {
    const batch = attempts.slice(0, batchSize)
    if (batch.length === 0) return 0
    try {
      await recordAttempts(db, batch, databaseTime(clock))
      batchSize = MAX_BATCH
    } catch (error) {
      if (isTransientError(error) || batch.length > 1) {
        // One result that cannot be written must not hold back the others.
        if (!isTransientError(error)) batchSize = 1
        throw error
      }
      // Its lease ends, and it is sent again.
      log.error({ err: error }, 'dropped the result of a webhook attempt')
    }
    attempts.splice(0, batch.length)
    return batch.length
  }

  const writeReturned = async () => {
    const batch = returned.slice()
    await release(db, batch, databaseTime(clock))
    returned.splice(0, batch.length)
    return batch.length
  }

  return {
    add: (attempt: Attempt) => void attempts.push(attempt),
    giveBack: (deliveries: Claimed[]) => void returned.push(...deliveries),
    /** Writes one batch and returns how many deliveries are done with. */
    write: async () => {
      const written = await writeAttempts()
      // Count the written results even if the release fails; the next call returns the others.
      return written + (written > 0 ? await writeReturned().catch(() => 0) : await writeReturned())
    },
  }
}
