import { changeMemberRequest, membersQuery } from '@tributary/contract'
import type { Auth } from '../../accounts/auth.ts'
import { findMember, listMembers, lockWorkspace, roleIn } from '../../accounts/workspaces.ts'
import { inTransaction } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { answerList } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { asRefusal } from './accounts.ts'
import { missing, requireWorkspace } from './require-workspace.ts'

export const members = (app: App, dependencies: Dependencies) => {
  const { db, authIn } = dependencies
  const mayRead = requireWorkspace(dependencies, 'program:read')
  const mayManage = requireWorkspace(dependencies, 'member:manage')
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
