import { type ControlledTransaction, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database, Directory } from './connect.ts'
import { placeLike, separateDirectoryOf } from './directories.ts'
import type { DirectoryTables, ShardTables } from './places.ts'
import { RAISE_STATEMENT_TIMEOUT } from './query-timeout.ts'

export type Tx = Transaction<ShardTables>
export type DirectoryTx = Transaction<DirectoryTables>

/** A transaction, and those in other databases that joined it: they commit before it and roll back with it. */
type Group = { work: (() => Promise<void>)[]; members: Map<object, object>; joined: ControlledTransaction<never>[] }
const groups = new WeakMap<object, Group>()

const groupOf = (tx: object) => {
  const group = groups.get(tx)
  if (!group) throw new Error('needs a transaction of inTransaction')
  return group
}

/** Runs once, after the operation and before the commit. If it fails, the transaction rolls back. */
export const beforeCommit = (tx: Tx, run: () => Promise<void>) => {
  groupOf(tx).work.push(run)
}

/** Deadlock and serialization failure. */
const RETRYABLE_CODES = ['40P01', '40001']
const MAX_ATTEMPTS = 3

const runInTransaction = async <Tables, T>(
  db: Kysely<Tables>,
  operation: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        placeLike(tx, db)
        const group: Group = { work: [], members: new Map([[db, tx]]), joined: [] }
        groups.set(tx, group)
        try {
          const result = await operation(tx)
          for (const run of group.work) await run()
          for (const other of group.joined) await other.commit().execute()
          return result
        } finally {
          for (const other of group.joined) if (!other.isCommitted) await other.rollback().execute()
        }
      })
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (attempt === MAX_ATTEMPTS || !RETRYABLE_CODES.includes(code)) throw error
    }
  }
}

/** Runs an operation in one transaction and reruns it after a deadlock or serialization failure. */
export const inTransaction = <T>(db: Database, operation: (tx: Tx) => Promise<T>): Promise<T> =>
  runInTransaction(db, operation)

export const inDirectoryTransaction = <T>(db: Directory, operation: (tx: DirectoryTx) => Promise<T>): Promise<T> =>
  runInTransaction(db, operation)

/** The directory inside a shard's transaction: the same transaction, or one that commits just before it. */
export const joinDirectory = async (tx: Tx): Promise<DirectoryTx> => {
  const directory = separateDirectoryOf(tx)
  return directory ? join(tx, directory) : (tx as unknown as DirectoryTx)
}

/** A shard inside a transaction of the directory: the same transaction, or one that commits just before it. */
export const joinShard = async (tx: DirectoryTx, db: Database): Promise<Tx> =>
  separateDirectoryOf(db) ? join(tx, db) : (tx as unknown as Tx)

const join = async <Tables>(tx: object, db: Kysely<Tables>): Promise<Transaction<Tables>> => {
  const group = groupOf(tx)
  const known = group.members.get(db) as Transaction<Tables> | undefined
  if (known) return known
  const other = await db.startTransaction().execute()
  placeLike(other, db)
  groups.set(other, group)
  group.members.set(db, other)
  group.joined.push(other as unknown as ControlledTransaction<never>)
  return other
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
