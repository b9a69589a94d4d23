import { Refusal } from '../refusal.ts'
import type { Database } from './connect.ts'
import { groupCommit } from './group-commit.ts'
import { overloaded } from './overloaded.ts'
import { inTransaction, type Tx } from './transaction.ts'

/** What a batch says of a call that cannot be part of it: it gets a transaction of its own. */
export const ALONE = Symbol('alone')

export type Outcome<Result> = Result | Refusal | typeof ALONE

/** Whether a call is not part of its batch. Then it leaves nothing behind, and the others are carried out again without it. */
export const isDismissed = (outcome: unknown): outcome is Refusal | typeof ALONE =>
  outcome instanceof Refusal || outcome === ALONE

/** Carries out calls that have no name in common, in one transaction and with statements for all of them. */
export type Batch<Call, Result> = (tx: Tx, calls: Call[]) => Promise<Outcome<Result>[]>

/** After a wait for a call of the same name, a look without a lock at what that has left to do. */
export type Later<Result> = {
  /** The answer, where the call ahead has brought it about. */
  known?: () => Promise<Result | null>
  /** The names that still have to be waited for; all of them where this is absent. */
  contested?: () => Promise<string[]>
}

export type Batches<Call, Result> = {
  run: (names: string[], call: Call, later?: Later<Result>) => Promise<Result>
  /** For a call that is likely to be refused, which would undo its batch. */
  alone: (call: Call) => Promise<Result>
  waiting: () => number
  drain: () => Promise<void>
}

/** A few, for one that waits for a lock must not be the only one. */
const WRITERS = 3
const MAX_BATCH = 64
const MAX_WAITING = 1_000
const MAX_DELAY_MS = 1_500
const ANSWERED_WITHIN_MS = 2_900
/** Whoever waits for a turn holds nothing meanwhile, and is left time for their own call. */
const MAX_TURN_MS = 2_200

/**
 * A call by itself is some ten statements, and Postgres and we spend more on a statement than on a row of it. So calls that come
 * while others are being carried out go together into the next transaction, as clicks do.
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
    // What Postgres decides between two of a name it decides between transactions, so the later one gets its own.
    run: (names, call, later = {}) =>
      inTurn(names, { tell: (isFirst) => (isFirst ? together(call) : alone(db, batch, call)), ...later }),
    alone: (call) => alone(db, batch, call),
    waiting,
    drain,
  }
}

/** Each call in a transaction of its own, and none waits for another here. */
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
    if (outcome === ALONE || outcome === undefined) throw new Error('a call alone is carried out or refused')
    return outcome
  })

/** Undoes a batch of which some calls cannot be part. */
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
 * Those with a name in common one after the other. They would only wait for each other's locks, each on a connection that
 * somebody else could use. Whom their turn does not reach in time is refused, before anything was begun.
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
      // Equal calls are many, and all but one of them are answered by what the one that is told now leaves behind.
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
    // One that was refused while it waited is over no sooner than those it waited for.
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
