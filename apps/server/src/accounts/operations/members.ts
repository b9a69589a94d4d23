import { MEMBERS } from '@tributary/contract/declared'
import type { Tx } from '../../database/transaction.ts'
import { requireSecondFactor } from '../../platform/access.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { deletePrivateViews } from '../../views/saved-views.ts'
import { asRefusal } from '../as-refusal.ts'
import type { Auth } from '../auth.ts'
import { roleHasPermission } from '../roles.ts'
import { findMember, listMembers, lockWorkspace, roleIn } from '../workspaces.ts'

export const members = ({ authIn }: { authIn: (tx: Tx) => Auth }) =>
  runs(
    MEMBERS,
    { memberId: { what: 'member', find: findMember } },
    {
      list: ({ db, params: { workspaceId }, query }) => listMembers(db, { workspaceId, ...query }),

      change: async ({ tx, actor, params, clock, audit, body: { role } }) => {
        const { workspaceId, memberId } = params
        if (roleHasPermission(role, 'payout:manage')) await requireSecondFactor(tx, { user: actor, workspaceId })
        const { email, ...before } = await lockedMember(tx, params)
        const body = { role, memberId, organizationId: workspaceId }
        await asRefusal(authIn(tx).api.updateMemberRole({ headers: actor.headers, body }))
        const change = { before: { role: before.role }, after: { role } }
        await audit(tx, { action: 'member role changed', subject: `member ${email}`, ...change, at: clock() })
        return { ...before, email, role }
      },

      remove: async ({ tx, actor, params, clock, audit }) => {
        const { workspaceId, memberId } = params
        const member = await lockedMember(tx, params)
        const { userId, email, role } = member
        // better-auth rejects this too, but with a misleading message about the only owner.
        if (role === 'owner' && (await roleIn(tx, { userId: actor.id, workspaceId })) !== 'owner')
          throw new Refusal('forbidden', 'Only an owner can remove an owner. Ask one of the workspace’s owners.')
        const body = { memberIdOrEmail: memberId, organizationId: workspaceId }
        await asRefusal(authIn(tx).api.removeMember({ headers: actor.headers, body }))
        await deletePrivateViews(tx, { workspaceId, userId })
        const action = userId === actor.id ? 'member left' : 'member removed'
        await audit(tx, { action, subject: `member ${email}`, before: { email, role }, at: clock() })
        return member
      },
    },
  )

/** As of the lock. */
const lockedMember = async (tx: Tx, key: { workspaceId: string; memberId: string }) => {
  await lockWorkspace(tx, key.workspaceId)
  return orNotFound(await findMember(tx, key), 'member')
}
