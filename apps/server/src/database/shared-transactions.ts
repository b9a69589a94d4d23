import type { Database } from './connect.ts'
import { groupCommit } from './group-commit.ts'
import { type Story, sideBySide } from './side-by-side.ts'
import { inTransaction } from './transaction.ts'

/** Runs a story in a transaction, which it may share with stories of other names, and with none of its own. */
export type Transactions = <T>(name: string, story: Story<T>) => Promise<T>

export const separateTransactions =
  (db: Database): Transactions =>
  (_, story) =>
    inTransaction(db, story)

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
  const run: Transactions = async <T>(name: string, story: Story<T>) => {
    // One of that name is waiting or under way: Postgres decides between the two, for which each needs its own.
    if (held.has(name)) return inTransaction(db, story)
    held.add(name)
    const ended = await stories.submit(story).finally(() => held.delete(name))
    if (ended.status === 'rejected') throw ended.reason
    return ended.value as T
  }
  return { run, waiting: stories.waiting, drain: stories.drain }
}
