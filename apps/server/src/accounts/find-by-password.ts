import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { Database } from '../database/connect.ts'

/** Whose account it is, for who knows its password. Anybody else hears nothing, after the same work. */
export const findByPassword = async (db: Database, { email, password }: { email: string; password: string }) => {
  const row = await db
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.userId', 'users.id')
    .select(['users.id', 'users.name', 'users.email', 'credentials.password as hash'])
    .where('users.email', '=', email.toLowerCase())
    .where('credentials.providerId', '=', 'credential')
    .executeTakeFirst()
  if (!row?.hash) {
    await hashPassword(password)
    return null
  }
  const { hash, ...user } = row
  return (await verifyPassword({ hash, password })) ? user : null
}
