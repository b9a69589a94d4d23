import type { Directory } from '../database/connect.ts'
import { type DirectoryTx, inDirectoryTransaction } from '../database/transaction.ts'
import type { Auth } from './auth.ts'
import { removeTwoFactor } from './two-factor-settings.ts'

type Reset = {
  email: string
  authIn: (tx: DirectoryTx) => Auth
  /** Runs in the same transaction. */
  also: (tx: DirectoryTx, user: { id: string; email: string }) => Promise<unknown>
}

/** Turns off a user's second factor and ends all their sessions, including those on a stolen device. */
export const resetTwoFactor = (db: Directory, { email, authIn, also }: Reset) =>
  inDirectoryTransaction(db, async (tx) => {
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
