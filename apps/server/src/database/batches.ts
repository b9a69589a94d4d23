import { sql } from 'kysely'
import { overloaded, type Refusal } from '../refusal.ts'
import type { Database } from './connect.ts'
import { groupCommit } from './group-commit.ts'
import { createMerchantTurns } from './merchant-turns.ts'
import { inTransaction, type Tx } from './transaction.ts'
import { isLockTimeout, isTransientError } from './transient-errors.ts'

/** What a batch did with a call. */
export type Outcome<Result> =
  | { result: Result }
  /** `isClean`: nothing was written for the call, so the batch can commit. */
  | { refusal: Refusal; isClean?: boolean }
  /** It cannot be part of a batch and needs its own transaction. */
  | { isExcluded: true }

export const EXCLUDED: Outcome<never> = { isExcluded: true }

/**
 * A call in a batch, which fills in the outcome. A rerun of the batch gets new rows. If a call is excluded, the batch may stop and leave
 * the others without an outcome.
 */
export type Row<Call, Result> = Call & { outcome?: Outcome<Result> }

/** Runs calls with distinct keys in one transaction, with one statement per step for all of them. */
export type Batch<Call, Result> = (tx: Tx, rows: Row<Call, Result>[]) => Promise<void>

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
/** A waiting call holds no connection, and must leave time to run. */
const MAX_WAIT_MS = 2_200

/** Connections are shared by all queues of a database, and so is the limit on those of one merchant. */
const turnsOf = new WeakMap<Database, ReturnType<typeof createMerchantTurns>>()

/** Runs single calls in their own transactions, a few of each merchant at a time. */
const openTurns = <Call extends object, Result>(
  db: Database,
  batch: Batch<Call, Result>,
  merchantOf: (call: Call) => string,
) => {
  const turns = turnsOf.get(db) ?? createMerchantTurns()
  turnsOf.set(db, turns)
  return {
    isWaiting: (call: Call) => turns.isWaiting(merchantOf(call)),
    runAlone: (call: Call, options?: { isSuspect: boolean }) =>
      turns.run(merchantOf(call), (lockTimeoutMs) => runAlone(db, batch, { call, lockTimeoutMs }), options),
  }
}

/**
 * One call takes about ten statements, and a statement costs more than a row in it. So calls that arrive while others run
 * share the next transaction, as clicks do. `merchantOf` names whose locks a call needs: it never waits for those of others longer
 * than its batch does. `hasSharedLocks`: calls of one merchant often need the same locks, so they are never in two batches at the same time.
 */
export const createBatchQueue = <Call extends object, Result>(
  db: Database,
  batch: Batch<Call, Result>,
  merchantOf: (call: Call) => string,
  { hasSharedLocks = false } = {},
): Batches<Call, Result> => {
  const { isWaiting, runAlone } = openTurns(db, batch, merchantOf)
  const { submit, waiting, drain } = groupCommit<Call, Ended<Result> | Promise<Ended<Result>>>({
    writers: WRITERS,
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    maxDelayMs: MAX_DELAY_MS,
    timeoutMs: TIMEOUT_MS,
    ...(hasSharedLocks && { groupOf: merchantOf }),
    write: (calls: Call[]) => runByMerchant(calls, merchantOf, (some) => runBatch(db, batch, some)),
  })
  const runTogether = async (call: Call): Promise<Result> => {
    if (isWaiting(call)) return runAlone(call)
    const outcome = await submit(call)
    if (outcome === LOCK_TIMEOUT) return runAlone(call, { isSuspect: true })
    return 'isExcluded' in outcome ? runAlone(call) : resultOf(outcome)
  }
  const enqueue = createKeyedQueue()
  return {
    // Postgres resolves conflicts between transactions, so a call that waited for the same key gets its own.
    run: (keys, call, checks = {}) =>
      enqueue(keys, { run: (isFirst) => (isFirst ? runTogether(call) : runAlone(call)), ...checks }),
    alone: runAlone,
    waiting,
    drain,
  }
}

/** Runs each call in its own transaction, without waiting for others. */
export const createUnbatchedQueue = <Call extends object, Result>(
  db: Database,
  batch: Batch<Call, Result>,
  merchantOf?: (call: Call) => string,
): Batches<Call, Result> => {
  const alone = merchantOf
    ? openTurns(db, batch, merchantOf).runAlone
    : (call: Call) => runAlone(db, batch, { call, lockTimeoutMs: null })
  return { run: (_, call) => alone(call), alone: (call) => alone(call), waiting: () => 0, drain: async () => {} }
}

const resultOf = <Result>(outcome: Outcome<Result>): Result => {
  if ('refusal' in outcome) throw outcome.refusal
  if ('isExcluded' in outcome) throw new Error('a call that runs alone must get a result or a refusal')
  return outcome.result
}

type SingleCall<Call> = { call: Call; lockTimeoutMs: number | null }

const runAlone = <Call extends object, Result>(
  db: Database,
  batch: Batch<Call, Result>,
  { call, lockTimeoutMs }: SingleCall<Call>,
): Promise<Result> =>
  inTransaction(db, async (tx) => {
    if (lockTimeoutMs !== null) await sql.raw(`SET LOCAL lock_timeout = ${lockTimeoutMs}`).execute(tx)
    const [outcome] = await runRows(tx, batch, [call])
    return resultOf(outcome ?? EXCLUDED)
  })

const runRows = async <Call extends object, Result>(tx: Tx, batch: Batch<Call, Result>, calls: Call[]) => {
  const rows = calls.map((call): Row<Call, Result> => ({ ...call }))
  await batch(tx, rows)
  return rows.map(({ outcome }) => outcome)
}

/** One of the calls waited for a lock for too long, and it is unknown which. */
const LOCK_TIMEOUT = Symbol('lock timeout')

type Ended<Result> = Outcome<Result> | typeof LOCK_TIMEOUT

/**
 * Runs calls together. If one of them waits for a lock, the calls of each merchant run again on their own: the results are promises, so
 * that a merchant's answers do not wait for the others.
 */
const runByMerchant = async <Call, Result>(
  calls: Call[],
  merchantOf: (call: Call) => string,
  run: (calls: Call[]) => Promise<Ended<Result>[]>,
): Promise<(Ended<Result> | Promise<Ended<Result>>)[]> => {
  const ended = await run(calls)
  const waiting = calls.flatMap((call, index) => (ended[index] === LOCK_TIMEOUT ? [{ call, index }] : []))
  const byMerchant = Map.groupBy(waiting, ({ call }) => merchantOf(call))
  if (byMerchant.size <= 1) return ended
  const all: (Ended<Result> | Promise<Ended<Result>>)[] = [...ended]
  for (const own of byMerchant.values()) {
    const rerun = run(own.map(({ call }) => call)).catch((error): Ended<Result>[] => {
      // Postgres rejects one of the calls. Running each alone isolates it.
      if (isTransientError(error)) throw error
      return own.map(() => LOCK_TIMEOUT)
    })
    for (const [position, { index }] of own.entries()) {
      const outcome = rerun.then((outcomes) => outcomes[position] as Ended<Result>)
      // The call may have been answered already, because it took too long.
      outcome.catch(() => {})
      all[index] = outcome
    }
  }
  return all
}

/** Rolls back a batch because of some of its calls. */
class RolledBack<Result> extends Error {
  constructor(readonly outcomes: (Outcome<Result> | undefined)[]) {
    super('some calls cannot be part of this batch')
  }
}

/** Whether a call left something behind that must not be committed, or has to run alone. */
const mustLeave = (outcome: Outcome<unknown> | undefined) =>
  outcome !== undefined && ('isExcluded' in outcome || ('refusal' in outcome && !outcome.isClean))

const runBatch = async <Call extends object, Result>(
  db: Database,
  batch: Batch<Call, Result>,
  calls: Call[],
): Promise<Ended<Result>[]> => {
  try {
    return await inTransaction(db, async (tx) => {
      const outcomes = await runRows(tx, batch, calls)
      if (outcomes.some(mustLeave)) throw new RolledBack(outcomes)
      return outcomes.map((outcome) => {
        if (!outcome) throw new Error('a batch left out a call')
        return outcome
      })
    })
  } catch (error) {
    if (isLockTimeout(error)) return calls.map(() => LOCK_TIMEOUT)
    if (!(error instanceof RolledBack)) throw error
    const { outcomes }: RolledBack<Result> = error
    const leaving = outcomes.map((outcome) => (mustLeave(outcome) ? outcome : undefined))
    const remaining = calls.filter((_, index) => !leaving[index])
    const rerun = remaining.length > 0 ? await runBatch(db, batch, remaining) : []
    return leaving.map((outcome) => outcome ?? (rerun.shift() as Outcome<Result>))
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
