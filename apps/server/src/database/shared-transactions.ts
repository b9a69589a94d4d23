import type { Database } from './connect.ts'
import { groupCommit } from './group-commit.ts'
import { overloaded } from './overloaded.ts'
import { type Story, sideBySide } from './side-by-side.ts'
import { inTransaction } from './transaction.ts'

/** Runs a story in a transaction, which it may share with stories of other names, and with none that has a name of its own. */
export type Transactions = <T>(names: string[], story: Story<T>) => Promise<T>

/** Two kinds do not meet in one: a sale and its lead rely on locks to see one another. */
export type SharedTransactions = { leads: Transactions; sales: Transactions }

/** A few, for one that waits for a lock must not be the only one. */
const WRITERS = 3
const MAX_BATCH = 64
const MAX_WAITING = 1_000
const MAX_DELAY_MS = 1_500
const ANSWERED_WITHIN_MS = 2_900

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
  const run: Transactions = (names, story) =>
    // What Postgres decides between two of a name it decides between transactions, so the later one gets its own.
    inTurn(names, (isFirst) => (isFirst ? share(story) : inTransaction(db, story)))
  return { run, waiting: stories.waiting, drain: stories.drain }
}

/**
 * Those with a name in common one after the other. They would only wait for each other's locks, each on a connection that
 * somebody else could use. Whom their turn does not reach in time is refused, before anything was begun.
 */
const takingTurns = () => {
  const latest = new Map<string, Promise<unknown>>()
  let waiting = 0
  const untilOver = async (earlier: Promise<unknown>[]) => {
    if (waiting >= MAX_WAITING) throw overloaded()
    const since = performance.now()
    waiting++
    await Promise.all(earlier)
    waiting--
    if (performance.now() - since > MAX_DELAY_MS) throw overloaded()
  }
  return <T>(names: string[], tell: (isFirst: boolean) => Promise<T>): Promise<T> => {
    const earlier = names.flatMap((name) => latest.get(name) ?? [])
    const told = earlier.length === 0 ? tell(true) : untilOver(earlier).then(() => tell(false))
    // One that was refused while it waited is over no sooner than those it waited for.
    const over = Promise.allSettled([...earlier, told]).then(() => {
      for (const name of names) if (latest.get(name) === over) latest.delete(name)
    })
    for (const name of names) latest.set(name, over)
    return told
  }
}
