import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Auth } from './auth.ts'

const credentialOf = (db: Database, email: string) =>
  db
    .selectFrom('credentials')
    .innerJoin('users', 'users.id', 'credentials.userId')
    .select('credentials.password as hash')
    .where('users.email', '=', email.toLowerCase())
    .where('credentials.providerId', '=', 'credential')

type SignIn = { auth: Auth; email: string; signIn: () => Promise<Response> }

/**
 * better-auth reads the hash, checks it for a tenth of a second and only then writes the session. A change of password ends
 * the sessions afterwards, so a session is either ended by the change, or was written later and is ended here. Null if the password was
 * replaced.
 */
export const signInUnlessReplaced = async (db: Database, { auth, email, signIn }: SignIn) => {
  const before = await credentialOf(db, email).executeTakeFirst()
  const response = await signIn()
  if (!response.ok) return response
  const after = await credentialOf(db, email).forShare('credentials').executeTakeFirst()
  if (after && after.hash === before?.hash) return response
  // With a second factor, there is no session, and nobody learns the ID of its challenge.
  const { token } = (await response.json()) as { token?: string }
  if (token) await (await auth.$context).internalAdapter.deleteSession(token)
  return null
}

type Change = { userId: string; authIn: (tx: Tx) => Auth; change: (auth: Auth) => Promise<Response> }

/** Locks the user while better-auth checks the old password, so that it never overwrites a password that was set meanwhile. */
export const changeOwnPassword = (db: Database, { userId, authIn, change }: Change) =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    return change(authIn(tx))
  })
