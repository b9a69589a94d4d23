import { createInvitationRequest, invitationsQuery, type Role } from '@tributary/contract'
import { asRefusal } from '../../../accounts/as-refusal.ts'
import { roleHasPermission } from '../../../accounts/roles.ts'
import {
  findInvitation,
  findOpenInvitation,
  findWorkspace,
  isInvitedAs,
  listInvitations,
  listOpenInvitations,
} from '../../../accounts/workspaces.ts'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { memberInvitation } from '../../../mail/emails.ts'
import { mailedTo } from '../../../mail/mailer.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Dependencies, User } from '../../context.ts'
import { answerList } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireSecondFactor, requireSession } from '../require-session.ts'
import { notFound, requireWorkspace } from '../require-workspace.ts'
import { workspaceAnswer } from './workspaces.ts'

export const invitations = (app: App, dependencies: Dependencies) => {
  const { db, authIn, baseUrl, clock, mailer } = dependencies
  const mayManage = requireWorkspace(dependencies, 'member:manage')
  const answer = <Invitation extends { id: string; status: string; expiresAt: Date }>(invitation: Invitation) => ({
    ...invitation,
    status: invitation.status === 'pending' && invitation.expiresAt <= clock() ? 'expired' : invitation.status,
    url: `${baseUrl}/invite/${invitation.id}`,
  })
  const read = async (key: { workspaceId: string; invitationId: string }) => {
    const invitation = await findInvitation(db, key)
    if (!invitation) throw notFound('invitation')
    return answer(invitation)
  }

  app.post('/api/workspaces/:workspaceId/invitations', mayManage, async (c) => {
    const workspaceId = c.req.param('workspaceId')
    const { email, role } = check(createInvitationRequest, await readJson(c))
    // Otherwise a session without the second factor could let in an accomplice who pays with their own.
    if (roleHasPermission(role, 'payout:manage')) await requireSecondFactor(db, { user: c.get('user'), workspaceId })
    // Resending keeps the role; inviting with another role creates a new invitation.
    const resend = await isInvitedAs(db, { workspaceId, email, role })
    const body = { email, role, organizationId: workspaceId, resend }
    const id = await inTransaction(c.get('db'), async (tx) => {
      const at = clock()
      const who = { workspaceId, userId: c.get('user').id, subject: `invitation of ${email}`, at }
      const earlier = await listOpenInvitations(tx, { workspaceId, email, at })
      const created = await asRefusal(authIn(tx).api.createInvitation({ headers: c.req.raw.headers, body }))
      for (const { id, ...before } of earlier.filter(({ id }) => id !== created.id))
        await recordAudit(tx, { ...who, action: 'invitation withdrawn', before, after: { status: 'canceled' } })
      const [last] = earlier
      const before = last ? { email, role: last.role } : null
      await recordAudit(tx, { ...who, action: 'member invited', before, after: { email, role } })
      return created.id
    })
    const [invitation, workspace] = await Promise.all([
      read({ workspaceId, invitationId: id }),
      findWorkspace(db, workspaceId),
    ])
    const names = { workspaceName: workspace?.name ?? '', inviterName: c.get('user').name }
    const mailed = await mailedTo(mailer, email, () => memberInvitation({ ...invitation, ...names }))
    return c.json({ data: { ...invitation, ...mailed } }, 201)
  })

  app.get('/api/workspaces/:workspaceId/invitations', mayManage, async (c) => {
    const query = check(invitationsQuery, c.req.query())
    const { rows, total } = await listInvitations(db, { workspaceId: c.req.param('workspaceId'), ...query })
    return answerList(c, rows.map(answer), { ...query, total })
  })

  app.delete('/api/workspaces/:workspaceId/invitations/:invitationId', mayManage, async (c) => {
    const { workspaceId, invitationId } = c.req.param()
    const { email, role, status } = await read({ workspaceId, invitationId })
    await inTransaction(c.get('db'), async (tx) => {
      await asRefusal(authIn(tx).api.cancelInvitation({ headers: c.req.raw.headers, body: { invitationId } }))
      const before = { email, role, status }
      const entry = { action: 'invitation withdrawn', subject: `invitation of ${email}`, before, at: clock() }
      await recordAudit(tx, { workspaceId, userId: c.get('user').id, ...entry, after: { status: 'canceled' } })
    })
    return c.json({ data: await read({ workspaceId, invitationId }) })
  })
}

type Acceptance = {
  headers: Headers
  user: Pick<User, 'id' | 'email'>
  invitation: { id: string; workspaceId: string; role: string }
}

/** Adds the user to the workspace. `headers` contain their session. */
export const acceptInvitation = (
  { db, authIn, clock }: Dependencies,
  { headers, user: { id: userId, email }, invitation: { id: invitationId, workspaceId, role } }: Acceptance,
) =>
  inTransaction(db, async (tx) => {
    await asRefusal(authIn(tx).api.acceptInvitation({ headers, body: { invitationId } }))
    const entry = { action: 'member joined', subject: `member ${email}`, after: { email, role }, at: clock() }
    await recordAudit(tx, { workspaceId, userId, ...entry })
  })

/** Routes for the holder of an invitation link, whose ID is the only credential. */
export const invitationLinks = (app: App, dependencies: Dependencies) => {
  const { db, clock, limits } = dependencies
  const open = async (invitationId: string) => {
    const invitation = await findOpenInvitation(db, { invitationId, at: clock() })
    if (!invitation)
      throw new Refusal('not_found', 'This invitation has expired, was used, or does not exist. Ask for a new one.')
    return invitation
  }

  app.get('/api/invitations/:invitationId', async (c) => {
    limits.visitor(c.get('clientIp'))
    const { workspaceId: _, ...invitation } = await open(c.req.param('invitationId'))
    return c.json({ data: invitation })
  })

  app.post('/api/invitations/:invitationId/accept', requireSession(dependencies), async (c) => {
    const invitation = await open(c.req.param('invitationId'))
    const { workspaceId, role } = invitation
    await acceptInvitation(dependencies, { headers: c.req.raw.headers, user: c.get('user'), invitation })
    const workspace = await findWorkspace(db, workspaceId)
    if (!workspace) throw notFound('workspace')
    return c.json({ data: workspaceAnswer({ ...workspace, role: role as Role }) })
  })
}
