import type { Transaction } from 'kysely'
import type { Database } from './connect.ts'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

const DEADLOCK_OR_CONFLICT = ['40P01', '40001']
const ATTEMPTS = 3

/** Runs a story in one transaction. What Postgres undid only because two met in the wrong order is run again, whole. */
export const inTransaction = async <T>(db: Database, story: (tx: Tx) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(story)
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (attempt === ATTEMPTS || !DEADLOCK_OR_CONFLICT.includes(code)) throw error
    }
  }
}
