import { changeMemberRequest, membersQuery } from '@tributary/contract'
import { asRefusal } from '../../../accounts/as-refusal.ts'
import type { Auth } from '../../../accounts/auth.ts'
import { roleHasPermission } from '../../../accounts/roles.ts'
import { findMember, listMembers, lockWorkspace, roleIn } from '../../../accounts/workspaces.ts'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { Refusal } from '../../../refusal.ts'
import { deletePrivateViews } from '../../../views/saved-views.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { answerList } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireSecondFactor } from '../require-session.ts'
import { notFound, requireWorkspace } from '../require-workspace.ts'

type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>
type MemberChange = {
  run: (auth: Auth) => Promise<unknown>
  also?: (tx: Tx, member: Member) => Promise<unknown>
  entryFor: (member: Member) => { action: string; before: object; after?: object }
}

export const members = (app: App, dependencies: Dependencies) => {
  const { db, authIn, clock } = dependencies
  const mayRead = requireWorkspace(dependencies, 'program:read')
  const mayManage = requireWorkspace(dependencies, 'member:manage')
  /** The audit log entry describes the member as of the lock. */
  const change = (c: Call, { run, also, entryFor }: MemberChange) =>
    inTransaction(c.get('db'), async (tx) => {
      const { workspaceId = '', memberId = '' } = c.req.param() as Record<string, string>
      await lockWorkspace(tx, workspaceId)
      const member = await findMember(tx, { workspaceId, memberId })
      if (!member) throw notFound('member')
      await asRefusal(run(authIn(tx)))
      await also?.(tx, member)
      const entry = { subject: `member ${member.email}`, ...entryFor(member), at: clock() }
      await recordAudit(tx, { workspaceId, userId: c.get('user').id, ...entry })
    })

  app.get('/api/workspaces/:workspaceId/members', mayRead, async (c) => {
    const query = check(membersQuery, c.req.query())
    const { rows, total } = await listMembers(db, { workspaceId: c.req.param('workspaceId'), ...query })
    return answerList(c, rows, { ...query, total })
  })

  app.patch('/api/workspaces/:workspaceId/members/:memberId', mayManage, async (c) => {
    const { workspaceId, memberId } = c.req.param()
    const { role } = check(changeMemberRequest, await readJson(c))
    if (roleHasPermission(role, 'payout:manage')) await requireSecondFactor(db, { user: c.get('user'), workspaceId })
    if (!(await findMember(db, { workspaceId, memberId }))) throw notFound('member')
    const body = { role, memberId, organizationId: workspaceId }
    await change(c, {
      run: (auth) => auth.api.updateMemberRole({ headers: c.req.raw.headers, body }),
      entryFor: (member) => ({ action: 'member role changed', before: { role: member.role }, after: { role } }),
    })
    return c.json({ data: await findMember(db, { workspaceId, memberId }) })
  })

  app.delete('/api/workspaces/:workspaceId/members/:memberId', mayManage, async (c) => {
    const { workspaceId, memberId } = c.req.param()
    const member = await findMember(db, { workspaceId, memberId })
    if (!member) throw notFound('member')
    // better-auth rejects this too, but with a misleading message about the only owner.
    if (member.role === 'owner' && (await roleIn(db, { userId: c.get('user').id, workspaceId })) !== 'owner')
      throw new Refusal('forbidden', 'Only an owner can remove an owner. Ask one of the workspace’s owners.')
    const body = { memberIdOrEmail: memberId, organizationId: workspaceId }
    await change(c, {
      run: (auth) => auth.api.removeMember({ headers: c.req.raw.headers, body }),
      also: (tx, { userId }) => deletePrivateViews(tx, { workspaceId, userId }),
      entryFor: ({ userId, email, role }) => ({
        action: userId === c.get('user').id ? 'member left' : 'member removed',
        before: { email, role },
      }),
    })
    return c.json({ data: member })
  })
}
