import type { Transaction } from 'kysely'
import type { Database, Directory } from './connect.ts'
import type { DirectoryTables, ShardTables } from './places.ts'

/** For shards in another database than the directory. */
const directories = new WeakMap<object, Directory>()

export const placeShard = (db: Database, directory: Directory) => {
  directories.set(db, directory)
}

/** Undefined while the shard is also the directory. */
export const separateDirectoryOf = (db: object) => directories.get(db)

/** A transaction is where its database is. */
export const placeLike = (tx: object, db: object) => {
  const directory = directories.get(db)
  if (directory) directories.set(tx, directory)
}

/**
 * For reading what the directory says about a shard's rows, such as names of users. Uses the same connection while both are one
 * database.
 */
export const directoryOf = (db: Database | Transaction<ShardTables>): Directory | Transaction<DirectoryTables> =>
  directories.get(db) ?? (db as unknown as Directory)
