import type { Tx } from '../database/transaction.ts'
import type { Auth } from './auth.ts'

export type Claim = {
  account: { name: string; email: string; password: string }
  /** Detaches what the account may hold and still be claimed; false where it holds more than that. */
  release: (tx: Tx, userId: string) => Promise<boolean>
}

/**
 * Anybody can sign up with an address that is not theirs. Where the invited address has an account that proved nothing and
 * belongs nowhere, the holder of the invitation gets it: with a new name and password, and without the sessions it had.
 */
export const claimAccount = async (tx: Tx, auth: Auth, { account, release }: Claim): Promise<boolean> => {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', account.email.toLowerCase())
    .where('emailVerified', '=', false)
    .where('isFirst', '=', false)
    .where('isDemo', '=', false)
    // A membership that is created meanwhile refers to this row, and waits.
    .forUpdate()
    .executeTakeFirst()
  if (!user) return false
  const member = await tx.selectFrom('members').select('id').where('userId', '=', user.id).executeTakeFirst()
  if (member || !(await release(tx, user.id))) return false
  const { internalAdapter, password } = await auth.$context
  await internalAdapter.updatePassword(user.id, await password.hash(account.password))
  await internalAdapter.deleteUserSessions(user.id)
  await internalAdapter.updateUser(user.id, { name: account.name })
  return true
}
