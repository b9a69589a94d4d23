import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { quickPasswords } from './quick-passwords.ts'
import { SECRETS } from './service.ts'
import { unique } from './unique.ts'

export const PASSWORD = 'a long password'

/** An account as sign-up creates it. accounts.test.ts covers sign-up itself. */
export const createAccount = async (
  db: Database,
  { email = `${unique('user')}@example.com`, name = 'Sam Reed' } = {},
) => {
  const id = unique('user')
  const isFirst = sql<boolean>`NOT EXISTS (SELECT FROM users WHERE is_first)`
  const insert = () => db.insertInto('users').values({ id, name, email, isFirst }).execute()
  // Of two concurrent first accounts the second conflicts, and is not the first when it tries again.
  await insert().catch(insert)
  await db
    .insertInto('credentials')
    .values({
      id: unique('credential'),
      accountId: id,
      userId: id,
      providerId: 'credential',
      password: await quickPasswords.hash(PASSWORD),
    })
    .execute()
  return { id, email }
}

const WEEK_MS = 7 * 86_400_000

/** The cookie of a new session, as sign-in sets it. */
export const openSession = async (db: Database, userId: string) => {
  const token = unique('session-token')
  const expiresAt = new Date(Date.now() + WEEK_MS)
  await db
    .insertInto('sessions')
    .values({ id: unique('session'), token, userId, expiresAt })
    .execute()
  const signature = createHmac('sha256', SECRETS.sessionSecret).update(token).digest('base64')
  return { name: 'tributary.session_token', value: encodeURIComponent(`${token}.${signature}`) }
}

export const sessionOf = async (db: Database, email: string) => {
  const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return openSession(db, id)
}
