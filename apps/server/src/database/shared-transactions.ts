import type { Database } from './connect.ts'
import { groupCommit } from './group-commit.ts'
import { overloaded } from './overloaded.ts'
import { type Story, sideBySide } from './side-by-side.ts'
import { inTransaction } from './transaction.ts'

/**
 * Runs an operation in a transaction, which it may share with operations of other names, and with none that has a name in common.
 * After a wait for one of them, `later` looks without a lock whether that has changed what is left to do.
 */
export type Transactions = <T>(names: string[], story: Story<T>, later?: Later<T>) => Promise<T>
export type Later<T> = {
  /** The answer, where the operation ahead has brought it about. */
  known?: () => Promise<T | null>
  /** The names that still have to be waited for; all of them where this is absent. */
  contested?: () => Promise<string[]>
}

/** Two kinds do not meet in one: a sale and its lead rely on locks to see one another. */
export type SharedTransactions = { leads: Transactions; sales: Transactions }

/** A few, for one that waits for a lock must not be the only one. */
const WRITERS = 3
const MAX_BATCH = 64
const MAX_WAITING = 1_000
const MAX_DELAY_MS = 1_500
const ANSWERED_WITHIN_MS = 2_900
/** Whoever waits for a turn holds nothing meanwhile, and is left time for their own story. */
const MAX_TURN_MS = 2_200

/**
 * One story after the other is a dozen statements each, and Postgres and we spend more on a statement than on a row of it. So
 * stories that come while others are being told go together into the next transaction, as clicks do.
 */
export const sharedTransactions = (db: Database) => {
  const stories = groupCommit({
    ...{ writers: WRITERS, maxBatch: MAX_BATCH, maxWaiting: MAX_WAITING },
    ...{ maxDelayMs: MAX_DELAY_MS, answeredWithinMs: ANSWERED_WITHIN_MS },
    write: (batch: Story<unknown>[]) => sideBySide(db, batch),
  })
  const share = async <T>(story: Story<T>) => {
    const ended = await stories.submit(story)
    if (ended.status === 'rejected') throw ended.reason
    return ended.value as T
  }
  const inTurn = takingTurns()
  const run: Transactions = (names, story, later = {}) =>
    // What Postgres decides between two of a name it decides between transactions, so the later one gets its own.
    inTurn(names, { tell: (isFirst) => (isFirst ? share(story) : inTransaction(db, story)), ...later })
  return { run, waiting: stories.waiting, drain: stories.drain }
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
