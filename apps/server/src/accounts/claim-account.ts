import type { Tx } from '../database/transaction.ts'
import type { Auth } from './auth.ts'
import { removeTwoFactor } from './two-factor-settings.ts'

export type Claim = {
  account: { name: string; email: string; password: string }
  /** Detaches what an account may hold and still be claimed; false if it holds more. */
  release: (tx: Tx, userId: string) => Promise<boolean>
}

/**
 * Anyone can sign up with an address that is not theirs. If the invited address has an unverified account without memberships,
 * the invitation's holder takes it over, with a new name and password and without its sessions and second factor.
 */
export const claimAccount = async (tx: Tx, auth: Auth, { account, release }: Claim): Promise<boolean> => {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', account.email.toLowerCase())
    .where('emailVerified', '=', false)
    .where('isFirst', '=', false)
    .where('isDemo', '=', false)
    // Concurrent inserts of a membership reference this row, so they wait.
    .forUpdate()
    .executeTakeFirst()
  if (!user) return false
  const member = await tx.selectFrom('members').select('id').where('userId', '=', user.id).executeTakeFirst()
  if (member || !(await release(tx, user.id))) return false
  const { internalAdapter, password } = await auth.$context
  await internalAdapter.updatePassword(user.id, await password.hash(account.password))
  await internalAdapter.deleteUserSessions(user.id)
  await removeTwoFactor(tx, user.id)
  await internalAdapter.updateUser(user.id, { name: account.name, twoFactorEnabled: false })
  return true
}
