/** What only the operator of the instance can do, with `tributary admin`. Callers authorize nothing: they have the database. */
import { randomBytes } from 'node:crypto'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { Auth } from './auth.ts'
import { removeTwoFactor } from './two-factor-settings.ts'

export const findAccount = (tx: Tx, email: string) =>
  tx
    .selectFrom('users')
    .select(['id', 'email', 'createdAt'])
    .where('email', '=', email.toLowerCase())
    .forUpdate()
    .executeTakeFirst()

/** The workspaces of the user, oldest membership first, with their role. */
export const membershipsOf = (tx: Tx, userId: string) =>
  tx
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.organizationId')
    .select(['workspaces.id', 'workspaces.name', 'members.role'])
    .where('members.userId', '=', userId)
    .orderBy('members.createdAt')
    .orderBy('members.id')
    .execute()

export const workspacesOf = async (db: Database | Tx, userId: string) =>
  (await db.selectFrom('members').select('organizationId').where('userId', '=', userId).execute()).map(
    ({ organizationId }) => organizationId,
  )

const MAX_LISTED = 1000

/** Every workspace with its owners, oldest first. */
export const listWorkspacesWithOwners = async (db: Database) => {
  const { rows } = await sql<{ id: string; name: string; owners: string[]; members: number }>`
    SELECT workspaces.id, workspaces.name, count(members.id)::integer AS members,
      coalesce(array_agg(users.email ORDER BY users.email) FILTER (WHERE members.role = 'owner'), '{}') AS owners
    FROM workspaces
    LEFT JOIN members ON members.organization_id = workspaces.id
    LEFT JOIN users ON users.id = members.user_id
    GROUP BY workspaces.id ORDER BY workspaces.created_at, workspaces.id LIMIT ${sql.lit(MAX_LISTED)}`.execute(db)
  return rows
}

/** 144 random bits. */
export const newPassword = () => randomBytes(18).toString('base64url')

/** Replaces the password and ends every session. Also for accounts that had no password. */
export const setPassword = async (tx: Tx, auth: Auth, { userId, password }: { userId: string; password: string }) => {
  const { internalAdapter, password: passwords } = await auth.$context
  const hash = await passwords.hash(password)
  const credential = await tx
    .selectFrom('credentials')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  if (credential) await internalAdapter.updatePassword(userId, hash)
  else await internalAdapter.linkAccount({ userId, providerId: 'credential', accountId: userId, password: hash })
  await internalAdapter.deleteUserSessions(userId)
}

type Replacement = { user: { id: string; email: string }; password: string }

/** Ends every way into an account that may be someone else's, including those in progress, and sets a password. */
export const replaceSignIn = async (tx: Tx, auth: Auth, { user, password }: Replacement) => {
  await tx.deleteFrom('credentials').where('userId', '=', user.id).where('providerId', '<>', 'credential').execute()
  // Password resets and second steps hold the user's ID, sign-in links the address.
  await tx
    .deleteFrom('verifications')
    .where((e) =>
      e.or([
        e('value', '=', user.id),
        e(sql`strpos(lower(value), ${JSON.stringify(user.email.toLowerCase())})`, '>', 0),
      ]),
    )
    .execute()
  await removeTwoFactor(tx, user.id)
  const { internalAdapter } = await auth.$context
  await internalAdapter.updateUser(user.id, { twoFactorEnabled: false })
  await setPassword(tx, auth, { userId: user.id, password })
}

/** Withdraws a user's invitations to any workspace, because they may be for accomplices. Returns the withdrawn invitations. */
export const withdrawInvitationsBy = (tx: Tx, userId: string) =>
  tx
    .updateTable('invitations')
    .set({ status: 'canceled' })
    .where('inviterId', '=', userId)
    .where('status', '=', 'pending')
    .returning(['organizationId as workspaceId', 'email', 'role'])
    .execute()

type Ownership = { userId: string; workspaceId: string }

/** Adds an owner, or makes a member one. Returns the role before. */
export const makeOwner = async (tx: Tx, auth: Auth, { userId, workspaceId }: Ownership) => {
  const member = await tx
    .selectFrom('members')
    .select(['id', 'role'])
    .where('organizationId', '=', workspaceId)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  const { adapter } = await auth.$context
  if (!member) await auth.api.addMember({ body: { userId, organizationId: workspaceId, role: 'owner' } })
  else await adapter.update({ model: 'member', where: [{ field: 'id', value: member.id }], update: { role: 'owner' } })
  return member?.role ?? null
}

/** Whether this session secret encrypted the authenticator apps' secrets; null if there are none. */
export const isSessionSecretOf = async (db: Database | Tx, key: string) => {
  const factor = await db.selectFrom('twoFactors').select('secret').limit(1).executeTakeFirst()
  if (!factor) return null
  return symmetricDecrypt({ key, data: factor.secret }).then(
    () => true,
    () => false,
  )
}

/**
 * Moves everything that depends on the session secret to a new one: authenticator apps go on working, while sessions end and
 * recovery codes stop working, because only their keyed hashes are stored.
 */
export const changeSessionSecret = async (tx: Tx, { from, to }: { from: string; to: string }) => {
  const factors = await tx.selectFrom('twoFactors').select(['id', 'secret']).forUpdate().execute()
  for (const { id, secret } of factors) {
    const data = await symmetricDecrypt({ key: from, data: secret })
    const encrypted = await symmetricEncrypt({ key: to, data })
    await tx.updateTable('twoFactors').set({ secret: encrypted, backupCodes: '[]' }).where('id', '=', id).execute()
  }
  const { numDeletedRows } = await tx.deleteFrom('sessions').executeTakeFirstOrThrow()
  return { sessions: Number(numDeletedRows), accounts: factors.length }
}
