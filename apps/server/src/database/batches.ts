import { Refusal } from '../refusal.ts'
import type { Database } from './connect.ts'
import { groupCommit } from './group-commit.ts'
import { overloaded } from './overloaded.ts'
import { inTransaction, type Tx } from './transaction.ts'

/** A call that cannot run in a batch and needs its own transaction. */
export const ALONE = Symbol('alone')

export type Outcome<Result> = Result | Refusal | typeof ALONE

/** Whether a call was refused or must run alone. Either way the batch rolls back and reruns without it. */
export const isDismissed = (outcome: unknown): outcome is Refusal | typeof ALONE =>
  outcome instanceof Refusal || outcome === ALONE

/** Runs calls with distinct keys in one transaction, with one statement per step for all of them. */
export type Batch<Call, Result> = (tx: Tx, calls: Call[]) => Promise<Outcome<Result>[]>

/** Checks, without locks, what remains to be done after waiting for a call with the same key. */
export type Later<Result> = {
  /** The result, if an earlier call already produced it. */
  known?: () => Promise<Result | null>
  /** The keys to keep waiting for; all of them if absent. */
  contested?: () => Promise<string[]>
}

export type Batches<Call, Result> = {
  run: (names: string[], call: Call, later?: Later<Result>) => Promise<Result>
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
const ANSWERED_WITHIN_MS = 2_900
/** A waiting call holds no connection, and must leave time to run. */
const MAX_TURN_MS = 2_200

/**
 * One call takes about ten statements, and a statement costs more than a row in it. So calls that arrive while others run
 * share the next transaction, as clicks do.
 */
export const batchesOf = <Call, Result>(db: Database, batch: Batch<Call, Result>): Batches<Call, Result> => {
  const { submit, waiting, drain } = groupCommit({
    ...{ writers: WRITERS, maxBatch: MAX_BATCH, maxWaiting: MAX_WAITING },
    ...{ maxDelayMs: MAX_DELAY_MS, answeredWithinMs: ANSWERED_WITHIN_MS },
    write: (calls: Call[]) => carryOut(db, batch, calls),
  })
  const together = async (call: Call): Promise<Result> => {
    const outcome = await submit(call)
    if (outcome instanceof Refusal) throw outcome
    return outcome === ALONE ? alone(db, batch, call) : outcome
  }
  const inTurn = takingTurns()
  return {
    // Postgres resolves conflicts between transactions, so a call that waited for the same key gets its own.
    run: (names, call, later = {}) =>
      inTurn(names, { tell: (isFirst) => (isFirst ? together(call) : alone(db, batch, call)), ...later }),
    alone: (call) => alone(db, batch, call),
    waiting,
    drain,
  }
}

/** Runs each call in its own transaction, without waiting for others. */
export const oneByOne = <Call, Result>(db: Database, batch: Batch<Call, Result>): Batches<Call, Result> => ({
  run: (_, call) => alone(db, batch, call),
  alone: (call) => alone(db, batch, call),
  waiting: () => 0,
  drain: async () => {},
})

const alone = <Call, Result>(db: Database, batch: Batch<Call, Result>, call: Call): Promise<Result> =>
  inTransaction(db, async (tx) => {
    const [outcome] = await batch(tx, [call])
    if (outcome instanceof Refusal) throw outcome
    if (outcome === ALONE || outcome === undefined)
      throw new Error('a call that runs alone must return a result or a refusal')
    return outcome
  })

/** Rolls back a batch that contains calls which cannot be part of it. */
class Dismissed extends Error {
  constructor(readonly outcomes: unknown[]) {
    super('some calls cannot be part of this batch')
  }
}

const carryOut = async <Call, Result>(
  db: Database,
  batch: Batch<Call, Result>,
  calls: Call[],
): Promise<Outcome<Result>[]> => {
  try {
    return await inTransaction(db, async (tx) => {
      const outcomes = await batch(tx, calls)
      if (outcomes.some(isDismissed)) throw new Dismissed(outcomes)
      return outcomes
    })
  } catch (error) {
    if (!(error instanceof Dismissed)) throw error
    const outcomes = error.outcomes as Outcome<Result>[]
    const others = calls.filter((_, place) => !isDismissed(outcomes[place]))
    const again = others.length > 0 ? await carryOut(db, batch, others) : []
    return outcomes.map((outcome) => (isDismissed(outcome) ? outcome : (again.shift() as Result)))
  }
}

type Turn<T> = Later<T> & { tell: (isFirst: boolean) => Promise<T> }

/**
 * Serializes calls that share a key: they would only wait for each other's locks, each holding a connection. A call whose turn
 * does not come in time is refused before it starts.
 */
const takingTurns = () => {
  const latest = new Map<string, Promise<unknown>>()
  const present = new Map<string, Promise<unknown>>()
  let waiting = 0
  const all = (of: Map<string, Promise<unknown>>, names: string[]) => names.flatMap((name) => of.get(name) ?? [])

  const begin = <T>(names: string[], isFirst: boolean, { tell }: Turn<T>) => {
    const told = tell(isFirst)
    const ended = told.catch(() => {})
    for (const name of names) present.set(name, ended)
    return told
  }
  const wait = async <T>(names: string[], earlier: Map<string, Promise<unknown>>, turn: Turn<T>): Promise<T> => {
    if (waiting >= MAX_WAITING) throw overloaded()
    const since = performance.now()
    let [left, ahead]: [string[], Promise<unknown>[]] = [names, []]
    waiting++
    try {
      // Of many equal calls, all but one are answered by the result of the call running now.
      await Promise.all(all(present, names))
      const known = (await turn.known?.()) ?? null
      if (known !== null) return known
      left = (await turn.contested?.()) ?? names
      ahead = all(earlier, left)
      await Promise.all(ahead)
    } finally {
      waiting--
    }
    if (performance.now() - since > MAX_TURN_MS) throw overloaded()
    return begin(left, ahead.length === 0, turn)
  }

  return <T>(names: string[], turn: Turn<T>): Promise<T> => {
    const earlier = new Map<string, Promise<unknown>>()
    for (const name of names) {
      const before = latest.get(name)
      if (before) earlier.set(name, before)
    }
    const told = earlier.size === 0 ? begin(names, true, turn) : wait(names, earlier, turn)
    // A call refused while waiting still counts as waiting until those ahead of it have finished.
    const over = Promise.allSettled([...earlier.values(), told]).then(() => {
      for (const name of names) {
        if (latest.get(name) !== over) continue
        latest.delete(name)
        present.delete(name)
      }
    })
    for (const name of names) latest.set(name, over)
    return told
  }
}
