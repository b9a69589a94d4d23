import { sql, type Transaction } from 'kysely'
import type { Database } from './connect.ts'
import { LONGER } from './overdue.ts'
import type { DB } from './tables.ts'

export type Tx = Transaction<DB>

const CONFLICT = '40001'
const DEADLOCK_OR_CONFLICT = ['40P01', CONFLICT]
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

/** What a story was decided on has changed before it could hold it: it is told again, from the beginning. */
export const overtaken = () => Object.assign(new Error('somebody else was faster'), { code: CONFLICT })

/**
 * For sums over all that there is, which somebody waits for knowingly: each statement has longer than any other call may take.
 * Not for a call that a machine waits for, and two of them must fit the time after which a silent connection is closed (listen.ts).
 */
export const inLongTransaction = <T>(db: Database, story: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await sql.raw(LONGER).execute(tx)
    return story(tx)
  })

/**
 * For whoever needs a table to themselves: all who come after them wait behind them, also while they wait for somebody who reads it
 * for minutes. So they have it at once or try another time.
 */
export const waitForNobody = (tx: Tx) => sql`SET LOCAL lock_timeout = '1s'`.execute(tx)
