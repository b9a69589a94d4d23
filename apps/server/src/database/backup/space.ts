import { statfsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** More than a backup takes: it is compressed. Without indexes, which it does not contain. */
export const readTableBytes = async (db: Database) => {
  const { rows } = await sql<{ bytes: string }>`
    SELECT coalesce(sum(pg_table_size(oid)), 0) AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`.execute(db)
  return Number(rows[0]?.bytes)
}

export const readFreeBytes = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
