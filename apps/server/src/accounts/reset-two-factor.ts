import type { Tx } from '../database/transaction.ts'
import type { Auth } from './auth.ts'
import { removeTwoFactor } from './two-factor-settings.ts'

type Reset = { outcome: 'unknown' | 'off' } | { outcome: 'reset'; user: { id: string; email: string } }

/** Turns off a user's second factor and ends all their sessions, including those on a stolen device. */
export const resetTwoFactor = async (tx: Tx, auth: Auth, email: string): Promise<Reset> => {
  const user = await tx
    .selectFrom('users')
    .select(['id', 'email', 'twoFactorEnabled'])
    .where('email', '=', email.toLowerCase())
    .forUpdate()
    .executeTakeFirst()
  if (!user) return { outcome: 'unknown' }
  if (!user.twoFactorEnabled) return { outcome: 'off' }
  const { internalAdapter } = await auth.$context
  await removeTwoFactor(tx, user.id)
  await internalAdapter.updateUser(user.id, { twoFactorEnabled: false })
  await internalAdapter.deleteUserSessions(user.id)
  return { outcome: 'reset', user }
}
