import type { Database } from './connect.ts'
import { groupCommit } from './group-commit.ts'
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
  const held = new Set<string>()
  const stories = groupCommit({
    ...{ writers: WRITERS, maxBatch: MAX_BATCH, maxWaiting: MAX_WAITING },
    ...{ maxDelayMs: MAX_DELAY_MS, answeredWithinMs: ANSWERED_WITHIN_MS },
    write: (batch: Story<unknown>[]) => sideBySide(db, batch),
  })
  const run: Transactions = async <T>(names: string[], story: Story<T>) => {
    // Another with such a name is waiting or under way: Postgres decides between the two, for which each needs its own.
    if (names.some((name) => held.has(name))) return inTransaction(db, story)
    for (const name of names) held.add(name)
    const ended = await stories.submit(story).finally(() => {
      for (const name of names) held.delete(name)
    })
    if (ended.status === 'rejected') throw ended.reason
    return ended.value as T
  }
  return { run, waiting: stories.waiting, drain: stories.drain }
}
