import { sql } from 'kysely'
import { StartupError } from '../config/startup-error.ts'
import type { Database } from './connect.ts'
import { unknownMigrations } from './migrate.ts'

const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

/** 2xx means committed. A server that forgets commits at a power cut cannot keep that promise, so we do not start on it. */
export const refuseUnsafeDatabase = async (db: Database) => {
  for (const setting of DURABLE) {
    const { rows } = await sql<{ value: string }>`SELECT current_setting(${setting}) AS value`.execute(db)
    if (rows[0]?.value === 'off')
      throw new StartupError(
        `The database runs with ${setting} off, so it could forget what was acknowledged. Turn ${setting} on and start again.`,
      )
  }
}

export const refuseNewerDatabase = async (db: Database) => {
  const [newer] = await unknownMigrations(db)
  if (newer)
    throw new StartupError(
      `The database was migrated by a newer Tributary (${newer}). Start that version, or restore a backup made before it.`,
    )
}
