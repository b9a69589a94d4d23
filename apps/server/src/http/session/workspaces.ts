import {
  changeMemberRequest,
  createInvitationRequest,
  createWorkspaceRequest,
  invitationsQuery,
  membersQuery,
  type Permission,
  type Role,
} from '@tributary/contract'
import { createMiddleware } from 'hono/factory'
import type { Auth } from '../../accounts/auth.ts'
import { permissionsOf } from '../../accounts/roles.ts'
import {
  findInvitation,
  findMember,
  findOpenInvitation,
  findWorkspace,
  isInvitedAs,
  listInvitations,
  listMembers,
  listWorkspaces,
  lockWorkspace,
  roleIn,
} from '../../accounts/workspaces.ts'
import { inTransaction } from '../../database/transaction.ts'
import { memberInvitation } from '../../mail/letters.ts'
import { mailedTo } from '../../mail/mailer.ts'
import { partnersOfUser } from '../../partners/partner-users.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies, Env } from '../context.ts'
import { answerList, readPage } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { asRefusal } from './accounts.ts'
import { refuseWithout, requireSession } from './require-session.ts'

const missing = (what: string) => new Refusal('not_found', `There is no such ${what}.`)

const workspaceAnswer = ({ role, ...workspace }: { id: string; name: string; createdAt: Date; role: Role }) => ({
  ...workspace,
  role,
  permissions: permissionsOf(role),
})

export const workspaces = (app: App, dependencies: Dependencies) => {
  const { db, auth, openSignup } = dependencies

  /** A partner was let in although sign-up is closed, for the portal and not for a workspace of their own. */
  const refusePartner = async (userId: string) => {
    if (openSignup || (await partnersOfUser(db, userId)).length === 0) return
    const { total } = await listWorkspaces(db, { userId, page: 1, pageSize: 1 })
    if (total === 0)
      throw new Refusal(
        'forbidden',
        'This account is a partner’s. Ask a member of a workspace for an invitation to it.',
      )
  }

  app.post('/api/workspaces', async (c) => {
    const { name } = check(createWorkspaceRequest, await readJson(c))
    await refusePartner(c.get('user').id)
    const slug = crypto.randomUUID()
    const created = await asRefusal(auth.api.createOrganization({ headers: c.req.raw.headers, body: { name, slug } }))
    return c.json({ data: workspaceAnswer({ id: created.id, name, createdAt: created.createdAt, role: 'owner' }) }, 201)
  })

  app.get('/api/workspaces', async (c) => {
    const page = readPage(c)
    const { rows, total } = await listWorkspaces(db, { userId: c.get('user').id, ...page })
    return answerList(c, rows.map(workspaceAnswer), { ...page, total })
  })
}

const inWorkspace = (dependencies: Dependencies, permission: Permission) =>
  createMiddleware<Env>(async (c, next) => {
    const workspaceId = c.req.param('workspaceId') ?? ''
    if (!(await findWorkspace(dependencies.db, workspaceId))) throw missing('workspace')
    await refuseWithout(dependencies, { userId: c.get('user').id, workspaceId, permission })
    await next()
  })

export const members = (app: App, dependencies: Dependencies) => {
  const { db, authIn } = dependencies
  const mayRead = inWorkspace(dependencies, 'program:read')
  const mayManage = inWorkspace(dependencies, 'member:manage')
  const change = (workspaceId: string, story: (auth: Auth) => Promise<unknown>) =>
    inTransaction(db, async (tx) => {
      await lockWorkspace(tx, workspaceId)
      await asRefusal(story(authIn(tx)))
    })

  app.get('/api/workspaces/:workspaceId/members', mayRead, async (c) => {
    const query = check(membersQuery, c.req.query())
    const { rows, total } = await listMembers(db, { workspaceId: c.req.param('workspaceId'), ...query })
    return answerList(c, rows, { ...query, total })
  })

  app.patch('/api/workspaces/:workspaceId/members/:memberId', mayManage, async (c) => {
    const { workspaceId, memberId } = c.req.param()
    const { role } = check(changeMemberRequest, await readJson(c))
    if (!(await findMember(db, { workspaceId, memberId }))) throw missing('member')
    const body = { role, memberId, organizationId: workspaceId }
    await change(workspaceId, (auth) => auth.api.updateMemberRole({ headers: c.req.raw.headers, body }))
    return c.json({ data: await findMember(db, { workspaceId, memberId }) })
  })

  app.delete('/api/workspaces/:workspaceId/members/:memberId', mayManage, async (c) => {
    const { workspaceId, memberId } = c.req.param()
    const member = await findMember(db, { workspaceId, memberId })
    if (!member) throw missing('member')
    // The library refuses this as well, with the reason of an only owner who leaves.
    if (member.role === 'owner' && (await roleIn(db, { userId: c.get('user').id, workspaceId })) !== 'owner')
      throw new Refusal('forbidden', 'Only an owner may remove an owner. Ask one of the workspace’s owners.')
    const body = { memberIdOrEmail: memberId, organizationId: workspaceId }
    await change(workspaceId, (auth) => auth.api.removeMember({ headers: c.req.raw.headers, body }))
    return c.json({ data: member })
  })
}

export const invitations = (app: App, dependencies: Dependencies) => {
  const { db, auth, baseUrl, clock, mailer } = dependencies
  const mayManage = inWorkspace(dependencies, 'member:manage')
  const answer = <Invitation extends { id: string; status: string; expiresAt: Date }>(invitation: Invitation) => ({
    ...invitation,
    status: invitation.status === 'pending' && invitation.expiresAt <= clock() ? 'expired' : invitation.status,
    url: `${baseUrl}/invite/${invitation.id}`,
  })
  const read = async (key: { workspaceId: string; invitationId: string }) => {
    const invitation = await findInvitation(db, key)
    if (!invitation) throw missing('invitation')
    return answer(invitation)
  }

  app.post('/api/workspaces/:workspaceId/invitations', mayManage, async (c) => {
    const workspaceId = c.req.param('workspaceId')
    const { email, role } = check(createInvitationRequest, await readJson(c))
    // Sent again, an invitation keeps what it says: to be something else, somebody has to be invited anew.
    const resend = await isInvitedAs(db, { workspaceId, email, role })
    const body = { email, role, organizationId: workspaceId, resend }
    const { id } = await asRefusal(auth.api.createInvitation({ headers: c.req.raw.headers, body }))
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
    await read({ workspaceId, invitationId })
    await asRefusal(auth.api.cancelInvitation({ headers: c.req.raw.headers, body: { invitationId } }))
    return c.json({ data: await read({ workspaceId, invitationId }) })
  })
}

/** By the link itself: its ID is the secret, so whoever holds it may see what they are invited to. */
export const invitationLinks = (app: App, dependencies: Dependencies) => {
  const { db, auth, clock } = dependencies
  const open = async (invitationId: string) => {
    const invitation = await findOpenInvitation(db, { invitationId, at: clock() })
    if (!invitation)
      throw new Refusal('not_found', 'This invitation does not exist, was used, or has expired. Ask for a new one.')
    return invitation
  }

  app.get('/api/invitations/:invitationId', async (c) => {
    const { workspaceId: _, ...invitation } = await open(c.req.param('invitationId'))
    return c.json({ data: invitation })
  })

  app.post('/api/invitations/:invitationId/accept', requireSession(dependencies), async (c) => {
    const { workspaceId, workspaceName, role, ...invitation } = await open(c.req.param('invitationId'))
    await asRefusal(auth.api.acceptInvitation({ headers: c.req.raw.headers, body: { invitationId: invitation.id } }))
    const workspace = await findWorkspace(db, workspaceId)
    if (!workspace) throw missing('workspace')
    return c.json({ data: workspaceAnswer({ ...workspace, role: role as Role }) })
  })
}
