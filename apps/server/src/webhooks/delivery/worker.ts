import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { isTransientError } from '../../database/transient-errors.ts'
import type { Log } from '../../log.ts'
import type { Post } from '../sending/post.ts'
import { databaseTime } from '../time.ts'
import { type Claimed, claim, release } from './claim.ts'
import { createLanes } from './lanes.ts'
import { type Attempt, recordAttempts } from './record.ts'
import { isSuccess } from './schedule.ts'
import { send } from './send.ts'

/** Deliveries in memory, waiting or in flight. */
const MAX_HELD = 2_000
const POLL_MS = 1_000
/** A stopping service waits this long for answers. Later ones are cut off, and the delivery is sent again. */
const STOP_MS = 3_000

type Options = {
  db: Database
  clock: Clock
  log: Log
  sealKey: Buffer
  post: Post['post']
  onAttempt: (result: 'delivered' | 'failed') => void
}

/** Sends deliveries as they become due. Safe to run in several processes: a lease keeps each delivery with one of them. */
export const startDelivering = ({ db, clock, log, sealKey, post, onAttempt }: Options) => {
  const stopping = new AbortController()
  const due = createWaker()
  const finished = createWaker()
  const results = createResults({ db, clock, log })
  let isStopping = false
  let held = 0

  const lanes = createLanes({
    send: (delivery, lane, at) => send({ delivery, lane, at, sealKey, post, signal: stopping.signal }),
    onResult: (attempt) => {
      results.add(attempt)
      onAttempt(isSuccess(attempt.status) ? 'delivered' : 'failed')
      finished.wake()
    },
    onReturned: (deliveries) => {
      results.giveBack(deliveries)
      finished.wake()
    },
  })

  const claimDue = async () => {
    lanes.dropSlow()
    if (held >= MAX_HELD) return 0
    const claimedAt = performance.now()
    const { mostFor, heldIn } = lanes
    const limits = { full: lanes.full(), mostFor, heldIn, heldBy: lanes.heldBy(), free: MAX_HELD - held }
    const claimed = await claim(db, { lease: randomUUID(), now: databaseTime(clock), ...limits })
    held += claimed.deliveries.length
    lanes.add(claimed.lanes, claimed.deliveries, { claimedAt, at: claimed.at ?? clock() })
    return claimed.deliveries.length
  }

  const claiming = (async () => {
    while (!isStopping) {
      const count = await claimDue().catch(warn(log, 'could not claim webhook deliveries'))
      if (!count) await due.wait(POLL_MS)
    }
  })()

  const writing = (async () => {
    while (!isStopping || held > 0) {
      const count = await results.write().catch(warn(log, 'could not record webhook attempts'))
      held -= count ?? 0
      if (count) due.wake()
      else await finished.wait(POLL_MS)
      // The database is gone; leases expire.
      if (isStopping && count === undefined) return
    }
  })()

  return {
    /** `changed` names an endpoint whose settings changed. */
    wake: (changed = '') => {
      if (changed) lanes.drop(changed)
      due.wake()
    },
    inFlight: lanes.inFlight,
    stop: async () => {
      isStopping = true
      due.wake()
      await claiming
      lanes.close()
      const timer = setTimeout(() => stopping.abort(), STOP_MS)
      finished.wake()
      await writing
      clearTimeout(timer)
    },
  }
}

/** Both loops continue after a pause. */
const warn = (log: Log, failure: string) => (error: Error) => log.warn({ error: error.message }, failure)

/** A pause that can be cut short, also before it begins. */
const createWaker = () => {
  let isAwake = false
  let endPause = () => {}
  return {
    wake: () => {
      isAwake = true
      endPause()
    },
    wait: async (milliseconds: number) => {
      if (!isAwake)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          endPause = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isAwake = false
    },
  }
}

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
