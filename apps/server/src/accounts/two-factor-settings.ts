import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { claimCode, LOCKED_SECONDS, MAX_WRONG_CODES } from './second-factor.ts'

/** Whether the user has two-factor sign-in and a password, and how many recovery codes are left. */
export const readTwoFactor = async (db: Database, userId: string) => {
  const row = await db
    .selectFrom('users')
    .leftJoin('twoFactors', (join) => join.onRef('twoFactors.userId', '=', 'users.id').on('verified', '=', true))
    .select(['users.twoFactorEnabled', 'twoFactors.backupCodes'])
    .select((e) =>
      e
        .exists(
          e
            .selectFrom('credentials')
            .select('credentials.id')
            .whereRef('credentials.userId', '=', 'users.id')
            .where('credentials.password', 'is not', null),
        )
        .as('hasPassword'),
    )
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    enabled: row.twoFactorEnabled,
    hasPassword: Boolean(row.hasPassword),
    recoveryCodesLeft: row.backupCodes ? (JSON.parse(row.backupCodes) as string[]).length : 0,
  }
}

type CodeCheck = Parameters<typeof claimCode>[1]

/**
 * Checks a code from a signed-in user. Wrong ones count towards the same lock as at sign-in; the library counts none while there
 * is a session.
 */
export const checkCode = async (db: Database, check: CodeCheck) => {
  const locked = await db
    .selectFrom('twoFactors')
    .select('id')
    .where('userId', '=', check.userId)
    .where('lockedUntil', '>', new Date())
    .executeTakeFirst()
  if (locked) return 'locked'
  const use = await claimCode(db, check)
  if (use === 'wrong') await countWrongCode(db, check.userId)
  return use
}

const countWrongCode = (db: Database, userId: string) =>
  db
    .updateTable('twoFactors')
    .set({
      // A lock that has expired starts a new count.
      failedVerificationCount: sql`CASE WHEN locked_until IS NULL THEN failed_verification_count + 1 ELSE 1 END`,
      lockedUntil: sql`CASE WHEN locked_until IS NULL AND failed_verification_count + 1 >= ${MAX_WRONG_CODES}
        THEN ${new Date(Date.now() + LOCKED_SECONDS * 1000)}::timestamptz END`,
    })
    .where('userId', '=', userId)
    .execute()

/** For accounts that change hands: see claim-account.ts. */
export const removeTwoFactor = (tx: Tx, userId: string) =>
  tx.deleteFrom('twoFactors').where('userId', '=', userId).execute()
