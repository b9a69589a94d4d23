import { sql } from 'kysely'
import { overloaded, Refusal } from '../refusal.ts'
import type { Database } from './connect.ts'
import { groupCommit } from './group-commit.ts'
import { inTransaction, type Tx } from './transaction.ts'
import { isLockTimeout } from './transient-errors.ts'

/** A call that cannot run in a batch and needs its own transaction. */
export const ALONE = Symbol('alone')

/** A call that could run in its batch, which rolls back because of another call. */
export const RERUN = Symbol('rerun')

export type Outcome<Result> = Result | Refusal | typeof ALONE | typeof RERUN

export const isResult = <Result>(outcome: Outcome<Result>): outcome is Result =>
  !(outcome instanceof Refusal) && outcome !== ALONE && outcome !== RERUN

/** Outcomes of a batch in which some calls cannot run. */
export const excluding = (isExcluded: boolean[]) => isExcluded.map((is) => (is ? ALONE : RERUN))

/** Whether a call was refused or must run alone. Either way the batch rolls back and reruns without it. */
const isDismissed = (outcome: unknown): outcome is Refusal | typeof ALONE =>
  outcome instanceof Refusal || outcome === ALONE

/** Runs calls with distinct keys in one transaction, with one statement per step for all of them. */
export type Batch<Call, Result> = (tx: Tx, calls: Call[]) => Promise<Outcome<Result>[]>

/** Checks, without locks, what remains to be done after waiting for a call with the same key. */
type ContentionChecks<Result> = {
  /** The result, if an earlier call already produced it. */
  findKnown?: () => Promise<Result | null>
  /** The keys to keep waiting for; all of them if absent. */
  contested?: () => Promise<string[]>
}

export type Batches<Call, Result> = {
  run: (keys: string[], call: Call, checks?: ContentionChecks<Result>) => Promise<Result>
  /** For a call that is likely to be refused, which would roll back its batch. */
  alone: (call: Call) => Promise<Result>
  waiting: () => number
  drain: () => Promise<void>
}

/** More than one, so that a writer waiting for a lock does not stall the rest. */
const WRITERS = 3
const MAX_BATCH = 64
const MAX_WAITING = 1_000
const MAX_DELAY_MS = 1_500
const TIMEOUT_MS = 2_900
/** If a call in a batch waits longer for a locked row, every call of the batch runs alone, so that the others do not fail with it. */
const BATCH_LOCK_TIMEOUT_MS = 300
/** A waiting call holds no connection, and must leave time to run. */
const MAX_WAIT_MS = 2_200

/**
 * One call takes about ten statements, and a statement costs more than a row in it. So calls that arrive while others run
 * share the next transaction, as clicks do.
 */
export const createBatchQueue = <Call, Result>(db: Database, batch: Batch<Call, Result>): Batches<Call, Result> => {
  const { submit, waiting, drain } = groupCommit({
    ...{ writers: WRITERS, maxBatch: MAX_BATCH, maxWaiting: MAX_WAITING },
    ...{ maxDelayMs: MAX_DELAY_MS, timeoutMs: TIMEOUT_MS },
    write: (calls: Call[]) => runBatch(db, batch, calls),
  })
  const runTogether = async (call: Call): Promise<Result> => {
    const outcome = await submit(call)
    if (outcome instanceof Refusal) throw outcome
    return isResult(outcome) ? outcome : runAlone(db, batch, call)
  }
  const enqueue = createKeyedQueue()
  return {
    // Postgres resolves conflicts between transactions, so a call that waited for the same key gets its own.
    run: (keys, call, checks = {}) =>
      enqueue(keys, { run: (isFirst) => (isFirst ? runTogether(call) : runAlone(db, batch, call)), ...checks }),
    alone: (call) => runAlone(db, batch, call),
    waiting,
    drain,
  }
}

/** Runs each call in its own transaction, without waiting for others. */
export const createUnbatchedQueue = <Call, Result>(
  db: Database,
  batch: Batch<Call, Result>,
): Batches<Call, Result> => ({
  run: (_, call) => runAlone(db, batch, call),
  alone: (call) => runAlone(db, batch, call),
  waiting: () => 0,
  drain: async () => {},
})

const runAlone = <Call, Result>(db: Database, batch: Batch<Call, Result>, call: Call): Promise<Result> =>
  inTransaction(db, async (tx) => {
    const [outcome] = await batch(tx, [call])
    if (outcome instanceof Refusal) throw outcome
    if (outcome === undefined || !isResult(outcome))
      throw new Error('a call that runs alone must return a result or a refusal')
    return outcome
  })

/** Rolls back a batch that contains calls which cannot be part of it. */
class ExcludedCalls extends Error {
  constructor(readonly outcomes: unknown[]) {
    super('some calls cannot be part of this batch')
  }
}

const runBatch = async <Call, Result>(
  db: Database,
  batch: Batch<Call, Result>,
  calls: Call[],
): Promise<Outcome<Result>[]> => {
  try {
    return await inTransaction(db, async (tx) => {
      if (calls.length > 1) await sql.raw(`SET LOCAL lock_timeout = ${BATCH_LOCK_TIMEOUT_MS}`).execute(tx)
      const outcomes = await batch(tx, calls)
      if (outcomes.some(isDismissed)) throw new ExcludedCalls(outcomes)
      return outcomes
    })
  } catch (error) {
    if (isLockTimeout(error) && calls.length > 1) return calls.map(() => ALONE)
    if (!(error instanceof ExcludedCalls)) throw error
    const outcomes = error.outcomes as Outcome<Result>[]
    const remaining = calls.filter((_, index) => !isDismissed(outcomes[index]))
    const rerun = remaining.length > 0 ? await runBatch(db, batch, remaining) : []
    return outcomes.map((outcome) => (isDismissed(outcome) ? outcome : (rerun.shift() as Result)))
  }
}

type Turn<T> = ContentionChecks<T> & { run: (isFirst: boolean) => Promise<T> }

/**
 * Serializes calls that share a key: they would only wait for each other's locks, each holding a connection. A call whose turn
 * does not come in time is refused before it starts.
 */
const createKeyedQueue = () => {
  const lastByKey = new Map<string, Promise<unknown>>()
  const running = new Map<string, Promise<unknown>>()
  let waiting = 0
  const all = (of: Map<string, Promise<unknown>>, keys: string[]) => keys.flatMap((key) => of.get(key) ?? [])

  const start = <T>(keys: string[], isFirst: boolean, { run }: Turn<T>) => {
    const result = run(isFirst)
    const ended = result.catch(() => {})
    for (const key of keys) running.set(key, ended)
    return result
  }
  const wait = async <T>(keys: string[], earlier: Map<string, Promise<unknown>>, turn: Turn<T>): Promise<T> => {
    if (waiting >= MAX_WAITING) throw overloaded('same_key_queue_full')
    const since = performance.now()
    let [remainingKeys, ahead]: [string[], Promise<unknown>[]] = [keys, []]
    waiting++
    try {
      // Of many equal calls, all but one are answered by the result of the call running now.
      await Promise.all(all(running, keys))
      const known = (await turn.findKnown?.()) ?? null
      if (known !== null) return known
      remainingKeys = (await turn.contested?.()) ?? keys
      ahead = all(earlier, remainingKeys)
      await Promise.all(ahead)
    } finally {
      waiting--
    }
    if (performance.now() - since > MAX_WAIT_MS) throw overloaded('same_key_delay')
    return start(remainingKeys, ahead.length === 0, turn)
  }

  return <T>(keys: string[], turn: Turn<T>): Promise<T> => {
    const earlier = new Map<string, Promise<unknown>>()
    for (const key of keys) {
      const before = lastByKey.get(key)
      if (before) earlier.set(key, before)
    }
    const result = earlier.size === 0 ? start(keys, true, turn) : wait(keys, earlier, turn)
    // A call refused while waiting still counts as waiting until those ahead of it have finished.
    const done = Promise.allSettled([...earlier.values(), result]).then(() => {
      for (const key of keys) {
        if (lastByKey.get(key) !== done) continue
        lastByKey.delete(key)
        running.delete(key)
      }
    })
    for (const key of keys) lastByKey.set(key, done)
    return result
  }
}
