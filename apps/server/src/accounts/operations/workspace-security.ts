import { WORKSPACE_SECURITY } from '@tributary/contract/declared'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { permissionsOf } from '../roles.ts'
import { changeRequireTwoFactor, findWorkspace, lockWorkspace, roleIn } from '../workspaces.ts'

export const workspaceSecurity = runs(
  WORKSPACE_SECURITY,
  {},
  {
    change: {
      allow: async ({ db, actor, params: { workspaceId } }) => {
        if ((await roleIn(db, { userId: actor.id, workspaceId })) !== 'owner')
          throw new Refusal('forbidden', 'Only owners can change the security settings. Ask an owner of the workspace.')
      },
      run: async ({ tx, actor, params: { workspaceId }, clock, audit, body: { requireTwoFactor } }) => {
        refuseWithoutSecondFactor(actor)
        await lockWorkspace(tx, workspaceId)
        const before = orNotFound(await findWorkspace(tx, workspaceId), 'workspace')
        const answer = { ...before, requireTwoFactor, role: 'owner' as const, permissions: permissionsOf('owner') }
        if (before.requireTwoFactor === requireTwoFactor) return answer
        await changeRequireTwoFactor(tx, { workspaceId, requireTwoFactor })
        const change = { before: { requireTwoFactor: before.requireTwoFactor }, after: { requireTwoFactor } }
        await audit(tx, { action: 'security settings changed', subject: 'workspace', ...change, at: clock() })
        return answer
      },
    },
  },
)

/** Without it, owners could lock themselves out, and a stolen password could turn the requirement off. */
const refuseWithoutSecondFactor = ({ hasSecondFactor }: { hasSecondFactor: boolean }) => {
  if (!hasSecondFactor)
    throw new Refusal(
      'two_factor_required',
      'Turn on two-factor sign-in for your own account first, or sign in again with a code.',
    )
}
