import type { CreateInvitation, InvitationStatus } from '@tributary/contract'
import { INVITATION_LINKS, INVITATIONS } from '@tributary/contract/declared'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { memberInvitation } from '../../mail/emails.ts'
import { type Mailer, mailedTo } from '../../mail/mailer.ts'
import { requireSecondFactor } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import type { Audit } from '../../platform/audit.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { asRefusal } from '../as-refusal.ts'
import type { Auth } from '../auth.ts'
import { roleHasPermission } from '../roles.ts'
import {
  findInvitation,
  findOpenInvitation,
  findWorkspace,
  isInvitedAs,
  listInvitations,
  listOpenInvitations,
} from '../workspaces.ts'
import { workspaceAnswer } from './workspaces.ts'

type AuthIn = (tx: Tx) => Auth
type Services = { authIn: AuthIn; baseUrl: string; mailer: Mailer | null }

/** Invitations of members, for those who invite. */
export const invitations = ({ authIn, baseUrl, mailer }: Services) => {
  const shown = <Row extends { id: string; status: InvitationStatus; expiresAt: Date }>(row: Row, at: Date) => ({
    ...row,
    status: row.status === 'pending' && row.expiresAt <= at ? ('expired' as const) : row.status,
    url: `${baseUrl}/invite/${row.id}`,
  })

  return runs(
    INVITATIONS,
    { invitationId: { what: 'invitation', find: findInvitation } },
    {
      create: {
        ownTransactions: async ({ db, actor, params: { workspaceId }, clock, audit, body }) => {
          // Otherwise a session without the second factor could let in an accomplice who pays with their own.
          if (roleHasPermission(body.role, 'payout:manage')) await requireSecondFactor(db, { user: actor, workspaceId })
          const at = clock()
          const invited = { workspaceId, actor, audit, at, ...body }
          const invitationId = await inTransaction(db, (tx) => invite(tx, { auth: authIn(tx), ...invited }))
          const [row, workspace] = await Promise.all([
            findInvitation(db, { workspaceId, invitationId }),
            findWorkspace(db, workspaceId),
          ])
          const invitation = shown(orNotFound(row, 'invitation'), at)
          const names = { workspaceName: workspace?.name ?? '', inviterName: actor.name }
          const mailed = await mailedTo(mailer, body.email, () => memberInvitation({ ...invitation, ...names }))
          return { ...invitation, ...mailed }
        },
      },

      list: async ({ db, params: { workspaceId }, clock, query }) => {
        const { rows, total } = await listInvitations(db, { workspaceId, ...query })
        const at = clock()
        return { rows: rows.map((row) => shown(row, at)), total }
      },

      cancel: async ({ tx, actor, params, invitation, clock, audit }) => {
        const at = clock()
        const { email, role, status } = shown(invitation, at)
        const { invitationId } = params
        await asRefusal(authIn(tx).api.cancelInvitation({ headers: actor.headers, body: { invitationId } }))
        const change = { before: { email, role, status }, after: { status: 'canceled' } }
        await audit(tx, { action: 'invitation withdrawn', subject: `invitation of ${email}`, ...change, at })
        return shown(orNotFound(await findInvitation(tx, params), 'invitation'), at)
      },
    },
  )
}

type Invited = CreateInvitation & { auth: Auth; workspaceId: string; actor: Member; audit: Audit; at: Date }

/** Resending keeps the role; inviting with another role withdraws the earlier invitations. */
const invite = async (tx: Tx, { auth, workspaceId, actor, audit, at, email, role }: Invited) => {
  const resend = await isInvitedAs(tx, { workspaceId, email, role })
  const earlier = await listOpenInvitations(tx, { workspaceId, email, at })
  const body = { email, role, organizationId: workspaceId, resend }
  const created = await asRefusal(auth.api.createInvitation({ headers: actor.headers, body }))
  const entry = { subject: `invitation of ${email}`, at }
  for (const { id, ...before } of earlier.filter(({ id }) => id !== created.id))
    await audit(tx, { ...entry, action: 'invitation withdrawn', before, after: { status: 'canceled' } })
  const [last] = earlier
  const before = last ? { email, role: last.role } : null
  await audit(tx, { ...entry, action: 'member invited', before, after: { email, role } })
  return created.id
}

/** For those who have the link of an invitation. */
export const invitationLinks = ({ authIn }: { authIn: AuthIn }) =>
  runs(
    INVITATION_LINKS,
    { invitationId: { what: 'invitation', find: openInvitation } },
    {
      get: async ({ invitation: { workspaceId: _, ...invitation } }) => invitation,

      accept: async ({ tx, actor, invitation, clock }) => {
        await acceptInvitation(tx, { auth: authIn(tx), headers: actor.headers, user: actor, invitation, clock })
        const workspace = orNotFound(await findWorkspace(tx, invitation.workspaceId), 'workspace')
        return workspaceAnswer({ ...workspace, role: invitation.role })
      },
    },
  )

const openInvitation = async (db: Database, key: { invitationId: string; at: Date }) => {
  const invitation = await findOpenInvitation(db, key)
  if (!invitation)
    throw new Refusal('not_found', 'This invitation has expired, was used, or does not exist. Ask for a new one.')
  return invitation
}

type Acceptance = {
  auth: Auth
  headers: Headers
  user: { id: string; email: string }
  invitation: { id: string; workspaceId: string; role: string }
  clock: Clock
}

/** Adds the user to the workspace. `headers` contain their session. */
export const acceptInvitation = async (
  tx: Tx,
  {
    auth,
    headers,
    user: { id: userId, email },
    invitation: { id: invitationId, workspaceId, role },
    clock,
  }: Acceptance,
) => {
  await asRefusal(auth.api.acceptInvitation({ headers, body: { invitationId } }))
  const entry = { action: 'member joined', subject: `member ${email}`, after: { email, role }, at: clock() }
  await recordAudit(tx, { workspaceId, userId, ...entry })
}
