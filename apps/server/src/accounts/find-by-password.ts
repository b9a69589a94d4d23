import type { Database } from '../database/connect.ts'
import type { Auth } from './auth.ts'

/** Returns the account if the password is right. An unknown address takes the same time as a wrong password. */
export const findByPassword = async (
  { db, auth }: { db: Database; auth: Auth },
  { email, password }: { email: string; password: string },
) => {
  const { password: passwords } = await auth.$context
  const row = await db
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.userId', 'users.id')
    .select(['users.id', 'users.name', 'users.email', 'credentials.password as hash'])
    .where('users.email', '=', email.toLowerCase())
    .where('credentials.providerId', '=', 'credential')
    .executeTakeFirst()
  if (!row?.hash) {
    await passwords.hash(password)
    return null
  }
  const { hash, ...user } = row
  return (await passwords.verify({ hash, password })) ? user : null
}
