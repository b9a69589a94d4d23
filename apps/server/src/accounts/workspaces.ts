import type { InvitableRole, InvitationStatus, InvitationsQuery, MembersQuery, Role } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/sql/pages.ts'
import { containing, directionOf, sortField } from '../database/sql/sorting.ts'
import type { Tx } from '../database/transaction.ts'

/** A user's role in a workspace, or null if they are not a member. */
export const roleIn = async (db: Database | Tx, { userId, workspaceId }: { userId: string; workspaceId: string }) => {
  const row = await db
    .selectFrom('members')
    .select('role')
    .where('organizationId', '=', workspaceId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return (row?.role as Role | undefined) ?? null
}

/** The user's workspace, if they are in just one. */
export const findOnlyWorkspaceId = async (db: Database | Tx, userId: string) => {
  const [only, ...others] = await db
    .selectFrom('members')
    .select('organizationId')
    .where('userId', '=', userId)
    .limit(2)
    .execute()
  return only && others.length === 0 ? only.organizationId : null
}

/** A user's roles across all workspaces, with duplicates. */
export const rolesOf = async (db: Database, userId: string) =>
  (await db.selectFrom('members').select('role').where('userId', '=', userId).execute()).map(({ role }) => role as Role)

export const hasAccount = async (db: Database | Tx, email: string) =>
  Boolean(await db.selectFrom('users').select('id').where('email', '=', email.toLowerCase()).executeTakeFirst())

/** Whether this is the first account of the instance. */
export const isFirstUser = async (db: Database, userId: string) =>
  Boolean(
    await db.selectFrom('users').select('id').where('id', '=', userId).where('isFirst', '=', true).executeTakeFirst(),
  )

/** Whether payouts and payout details need two-factor sign-in. */
export const requiresTwoFactor = async (db: Database | Tx, id: string) =>
  Boolean(
    await db
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', id)
      .where('requireTwoFactor', '=', true)
      .executeTakeFirst(),
  )

export const changeRequireTwoFactor = (
  tx: Tx,
  { workspaceId, requireTwoFactor }: { workspaceId: string; requireTwoFactor: boolean },
) => tx.updateTable('workspaces').set({ requireTwoFactor }).where('id', '=', workspaceId).execute()

export const findWorkspace = (db: Database | Tx, id: string) =>
  db
    .selectFrom('workspaces')
    .select(['id', 'name', 'requireTwoFactor', 'createdAt'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Serializes membership changes: if two owners leave concurrently, the second is refused. */
export const lockWorkspace = (tx: Tx, id: string) =>
  tx.selectFrom('workspaces').select('id').where('id', '=', id).forNoKeyUpdate().execute()

export const listWorkspaces = async (db: Database, { userId, ...page }: { userId: string } & Page) => {
  const list = await pageOf(
    db
      .selectFrom('workspaces')
      .innerJoin('members', 'members.organizationId', 'workspaces.id')
      .where('members.userId', '=', userId)
      .select([
        'workspaces.id',
        'workspaces.name',
        'workspaces.requireTwoFactor',
        'workspaces.createdAt',
        'members.role',
      ])
      .orderBy('workspaces.createdAt')
      .orderBy('workspaces.id'),
    page,
  )
  return { ...list, rows: list.rows.map((row) => ({ ...row, role: row.role as Role })) }
}

const membersOf = (db: Database, workspaceId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .where('members.organizationId', '=', workspaceId)
    .select(['members.id', 'members.userId', 'users.name', 'users.email', 'members.createdAt'])
    .select((e) => e.ref('members.role').$castTo<Role>().as('role'))

const MEMBER_ORDERS = { createdAt: 'members.createdAt', name: 'users.name', role: 'members.role' } as const

export const listMembers = (
  db: Database,
  { workspaceId, search, role, sort, ...page }: { workspaceId: string } & MembersQuery,
) =>
  pageOf(
    membersOf(db, workspaceId)
      .$if(role !== undefined, (query) => query.where('members.role', '=', role ?? ''))
      .$if(search !== undefined, (query) =>
        query.where((e) =>
          e.or([
            e('users.name', 'ilike', containing(search ?? '')),
            e('users.email', 'ilike', containing(search ?? '')),
          ]),
        ),
      )
      .orderBy(MEMBER_ORDERS[sortField(sort)], directionOf(sort))
      .orderBy('members.id', directionOf(sort)),
    page,
  )

export const findMember = (db: Database | Tx, { workspaceId, memberId }: { workspaceId: string; memberId: string }) =>
  membersOf(db, workspaceId).where('members.id', '=', memberId).executeTakeFirst()

const invitationsOf = (db: Database | Tx, workspaceId: string) =>
  db
    .selectFrom('invitations')
    .select(['id', 'email', 'expiresAt'])
    .select((e) => e.ref('role').$castTo<InvitableRole>().as('role'))
    .select((e) => e.ref('status').$castTo<InvitationStatus>().as('status'))
    .where('organizationId', '=', workspaceId)

export const listInvitations = (
  db: Database,
  { workspaceId, sort, ...page }: { workspaceId: string } & InvitationsQuery,
) =>
  pageOf(
    invitationsOf(db, workspaceId).orderBy(sortField(sort), directionOf(sort)).orderBy('id', directionOf(sort)),
    page,
  )

export const findInvitation = (
  db: Database | Tx,
  { workspaceId, invitationId }: { workspaceId: string; invitationId: string },
) => invitationsOf(db, workspaceId).where('id', '=', invitationId).executeTakeFirst()

/** Whether this address has a pending invitation with exactly this role. */
export const isInvitedAs = async (
  db: Database | Tx,
  { workspaceId, email, role }: { workspaceId: string; email: string; role: string },
) =>
  Boolean(
    await db
      .selectFrom('invitations')
      .select('id')
      .where('organizationId', '=', workspaceId)
      .where('email', '=', email.toLowerCase())
      .where('role', '=', role)
      .where('status', '=', 'pending')
      .executeTakeFirst(),
  )

/** The invitations this address can accept now, newest first. */
export const listOpenInvitations = (
  tx: Tx,
  { workspaceId, email, at }: { workspaceId: string; email: string; at: Date },
) =>
  tx
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'status'])
    .where('organizationId', '=', workspaceId)
    .where('email', '=', email.toLowerCase())
    .where('status', '=', 'pending')
    .where('expiresAt', '>', at)
    .orderBy('createdAt', 'desc')
    .execute()

/** The invitations of all workspaces that this address can accept now. */
export const listInvitationsTo = (db: Database | Tx, { email, at }: { email: string; at: Date }) =>
  db
    .selectFrom('invitations')
    .select(['id', 'organizationId as workspaceId', 'role'])
    .where('email', '=', email.toLowerCase())
    .where('status', '=', 'pending')
    .where('expiresAt', '>', at)
    .orderBy('createdAt')
    .execute()

/** Finds a pending, unexpired invitation by the secret in its link. */
export const findOpenInvitation = (db: Database, { invitationId, at }: { invitationId: string; at: Date }) =>
  db
    .selectFrom('invitations')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.organizationId')
    .where('invitations.id', '=', invitationId)
    .where('invitations.status', '=', 'pending')
    .where('invitations.expiresAt', '>', at)
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.expiresAt',
      'invitations.organizationId as workspaceId',
      'workspaces.name as workspaceName',
    ])
    .select((e) => e.ref('invitations.role').$castTo<InvitableRole>().as('role'))
    .executeTakeFirst()
