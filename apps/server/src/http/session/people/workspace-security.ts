import { workspaceSecurityRequest } from '@tributary/contract'
import { changeRequireTwoFactor, findWorkspace, lockWorkspace, roleIn } from '../../../accounts/workspaces.ts'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction, joinDirectory } from '../../../database/transaction.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { notFound, requireWorkspace } from '../require-workspace.ts'
import { workspaceAnswer } from './workspaces.ts'

/** PUT /api/workspaces/:workspaceId/security */
export const workspaceSecurity = (app: App, dependencies: Dependencies) => {
  const { directory, clock } = dependencies

  app.put('/api/workspaces/:workspaceId/security', requireWorkspace(dependencies, 'program:read'), async (c) => {
    const workspaceId = c.req.param('workspaceId')
    const user = c.get('user')
    const role = await roleIn(directory, { userId: user.id, workspaceId })
    if (role !== 'owner')
      throw new Refusal('forbidden', 'Only owners can change the security settings. Ask an owner of the workspace.')
    const { requireTwoFactor } = check(workspaceSecurityRequest, await readJson(c))
    // Without it, owners could lock themselves out, and a stolen password could turn the requirement off.
    if (!user.hasSecondFactor)
      throw new Refusal(
        'two_factor_required',
        'Turn on two-factor sign-in for your own account first, or sign in again with a code.',
      )
    const workspace = await inTransaction(c.get('db'), async (tx) => {
      const directoryTx = await joinDirectory(tx)
      await lockWorkspace(directoryTx, workspaceId)
      const before = await findWorkspace(directoryTx, workspaceId)
      if (!before) throw notFound('workspace')
      if (before.requireTwoFactor === requireTwoFactor) return before
      await changeRequireTwoFactor(directoryTx, { workspaceId, requireTwoFactor })
      const change = { before: { requireTwoFactor: before.requireTwoFactor }, after: { requireTwoFactor } }
      const entry = { action: 'security settings changed', subject: 'workspace', ...change, at: clock() }
      await recordAudit(tx, { workspaceId, userId: user.id, ...entry })
      return { ...before, requireTwoFactor }
    })
    return c.json({ data: workspaceAnswer({ ...workspace, role }) })
  })
}
