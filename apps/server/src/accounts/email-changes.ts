import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOfTexts } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'

const HOUR_MS = 3_600_000
const PREFIX = 'email-change:'

/**
 * A change of an account's address that waits for a link to be opened: first the one sent to the current address, then the one sent
 * to the new one. better-auth's own change skips the current address if it was never confirmed, and its links work repeatedly, without
 * the second factor and for whoever has the address by then.
 */
export type EmailChange = { userId: string; from: string; to: string; step: 'approve' | 'confirm' }

const identifierOf = (token: string) => PREFIX + createHash('sha256').update(token).digest('base64url')

/** Returns the token of the link. Replaces a change that is still waiting. */
export const storeEmailChange = async (tx: Tx, change: EmailChange) => {
  await endEmailChanges(tx, change.userId)
  const token = randomBytes(24).toString('base64url')
  await tx
    .insertInto('verifications')
    .values({
      id: randomUUID(),
      identifier: identifierOf(token),
      value: JSON.stringify(change),
      // System clock, like everything else in this table.
      expiresAt: new Date(Date.now() + HOUR_MS),
    })
    .execute()
  return token
}

const endEmailChanges = (tx: Tx, userId: string) =>
  tx
    .deleteFrom('verifications')
    .where('identifier', 'like', `${PREFIX}%`)
    .where((e) => e(sql`strpos(value, ${JSON.stringify(userId)})`, '>', 0))
    .execute()

/** Uses up the link, or returns null. Only the account that asked for the change can: its session has the second factor. */
export const takeEmailChange = async (tx: Tx, { token, userId }: { token: string; userId: string }) => {
  const row = await tx
    .deleteFrom('verifications')
    .where('identifier', '=', identifierOf(token))
    .where('expiresAt', '>', new Date())
    .where((e) => e(sql`strpos(value, ${JSON.stringify(userId)})`, '>', 0))
    .returning('value')
    .executeTakeFirst()
  return row ? (JSON.parse(row.value) as EmailChange) : null
}

/** Locks the account, so that concurrent changes follow one another, and returns its address. */
export const lockEmail = async (tx: Tx, userId: string) =>
  (await tx.selectFrom('users').select('email').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst())?.email

/** An identity provider names the address, so it can only be changed there. */
export const isManagedElsewhere = async (db: Database | Tx, userId: string) =>
  Boolean(
    await db
      .selectFrom('credentials')
      .select('id')
      .where('userId', '=', userId)
      .where('providerId', '<>', 'credential')
      .executeTakeFirst(),
  )

export const isDemoAccount = async (db: Database | Tx, userId: string) =>
  Boolean(
    await db.selectFrom('users').select('id').where('id', '=', userId).where('isDemo', '=', true).executeTakeFirst(),
  )

export const anyRequiresTwoFactor = async (db: Database | Tx, workspaceIds: string[]) =>
  Boolean(
    await db
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', anyOfTexts(workspaceIds))
      .where('requireTwoFactor', '=', true)
      .limit(1)
      .executeTakeFirst(),
  )

type NewEmail = { userId: string; email: string; isVerified: boolean }

/** Also ends password resets and half-finished sign-ins that began under the earlier address. Sessions go on. */
export const replaceEmail = async (tx: Tx, { userId, email, isVerified }: NewEmail) => {
  await tx
    .updateTable('users')
    .set({ email, emailVerified: isVerified, updatedAt: new Date() })
    .where('id', '=', userId)
    .execute()
  await tx.deleteFrom('verifications').where('value', '=', userId).execute()
  await endEmailChanges(tx, userId)
}
