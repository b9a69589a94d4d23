import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from './connect.ts'
import type { PublishedTable } from './published-tables.ts'
import { RAISE_STATEMENT_TIMEOUT } from './query-timeout.ts'
import type { DB } from './tables.ts'

/** A transaction that can change every table. */
export type Writer = Transaction<DB>
/** A transaction. What events show can only be changed with a `Writer` (outbox/publish-changes.ts). */
export type Tx = Guard & Writer

/** Comes first, so that it is the overload that applies to these tables. */
interface Guard {
  insertInto(table: PublishedTable): NeedsWriter
  updateTable(table: PublishedTable): NeedsWriter
  deleteFrom(table: PublishedTable): NeedsWriter
}
/** Has nothing of a query, so the statement does not compile. */
interface NeedsWriter {
  toString(): string
}

const workBeforeCommit = new WeakMap<Tx, (() => Promise<void>)[]>()

/** Runs once, after the operation and before the commit. If it fails, the transaction rolls back. */
export const beforeCommit = (tx: Tx, run: () => Promise<void>) => {
  const work = workBeforeCommit.get(tx)
  if (!work) throw new Error('needs a transaction of inTransaction')
  work.push(run)
}

/** Deadlock and serialization failure. */
const RETRYABLE_CODES = ['40P01', '40001']
const MAX_ATTEMPTS = 3

/** Runs an operation in one transaction and reruns it after a deadlock or serialization failure. */
export const inTransaction = async <T>(db: Database, operation: (tx: Tx) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        const work: (() => Promise<void>)[] = []
        workBeforeCommit.set(tx, work)
        const result = await operation(tx)
        for (const run of work) await run()
        return result
      })
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (attempt === MAX_ATTEMPTS || !RETRYABLE_CODES.includes(code)) throw error
    }
  }
}

/**
 * For aggregates over all data that a person knowingly waits for: raises the statement timeout. Not for machine callers. Two
 * such statements must fit into the idle timeout in listen.ts.
 */
export const inLongTransaction = <T>(db: Database, operation: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await sql.raw(RAISE_STATEMENT_TIMEOUT).execute(tx)
    return operation(tx)
  })

/**
 * For statements that join many rows of a program: Postgres must hash or sort what it joins. It would compare all rows with all wherever it
 * expects one row, as of a program younger than its statistics, or one large program among thousands that are almost empty.
 */
export const readHashed = <Row>(db: Database, query: RawBuilder<Row>, { isLong = false } = {}): Promise<Row[]> =>
  inTransaction(db, async (tx) => {
    if (isLong) await sql.raw(RAISE_STATEMENT_TIMEOUT).execute(tx)
    await sql`SET LOCAL enable_nestloop = off`.execute(tx)
    return (await query.execute(tx)).rows
  })

/**
 * For operations that lock a whole table: later requests queue behind us while we wait for a long-running reader. So give up
 * quickly and retry another time.
 */
export const limitLockWait = (tx: Tx) => sql`SET LOCAL lock_timeout = '1s'`.execute(tx)
