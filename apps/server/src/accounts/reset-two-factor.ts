import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Auth } from './auth.ts'
import { removeTwoFactor } from './two-factor-settings.ts'

type Reset = {
  email: string
  authIn: (tx: Tx) => Auth
  /** Runs in the same transaction. */
  also: (tx: Tx, user: { id: string; email: string }) => Promise<unknown>
}

/** Turns off a user's second factor and ends all their sessions, including those on a stolen device. */
export const resetTwoFactor = (db: Database, { email, authIn, also }: Reset) =>
  inTransaction(db, async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email', 'twoFactorEnabled'])
      .where('email', '=', email.toLowerCase())
      .forUpdate()
      .executeTakeFirst()
    if (!user) return 'unknown'
    if (!user.twoFactorEnabled) return 'off'
    const { internalAdapter } = await authIn(tx).$context
    await removeTwoFactor(tx, user.id)
    await internalAdapter.updateUser(user.id, { twoFactorEnabled: false })
    await internalAdapter.deleteUserSessions(user.id)
    await also(tx, user)
    return 'reset'
  })
