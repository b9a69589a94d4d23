import { createWorkspaceRequest, type Role } from '@tributary/contract'
import { asRefusal } from '../../../accounts/as-refusal.ts'
import { permissionsOf, roleHasPermission } from '../../../accounts/roles.ts'
import { isFirstUser, listWorkspaces, rolesOf } from '../../../accounts/workspaces.ts'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Dependencies } from '../../context.ts'
import { answerList, readPage } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'

type OwnWorkspace = { id: string; name: string; requireTwoFactor: boolean; createdAt: Date; role: Role }

export const workspaceAnswer = ({ role, ...workspace }: OwnWorkspace) => ({
  ...workspace,
  role,
  permissions: permissionsOf(role),
})

export const workspaces = (app: App, dependencies: Dependencies) => {
  const { db, authIn, clock, openSignup } = dependencies

  /**
   * An owner can invite any address. While sign-up is closed, only the first account and members who may invite others can
   * therefore create a workspace.
   */
  const refuseOutsiders = async (userId: string) => {
    if (openSignup) return
    const roles = await rolesOf(db, userId)
    if (roles.some((role) => roleHasPermission(role, 'member:manage'))) return
    if (roles.length > 0)
      throw new Refusal(
        'forbidden',
        'Only owners and admins can create another workspace. Ask an owner or admin of your workspace to create it and invite you.',
      )
    if (!(await isFirstUser(db, userId)))
      throw new Refusal(
        'forbidden',
        'Your account does not belong to a workspace. Ask an owner or admin of one to invite you.',
      )
  }

  app.post('/api/workspaces', async (c) => {
    const { name } = check(createWorkspaceRequest, await readJson(c))
    await refuseOutsiders(c.get('user').id)
    const slug = crypto.randomUUID()
    const created = await inTransaction(db, async (tx) => {
      const body = { name, slug }
      const made = await asRefusal(authIn(tx).api.createOrganization({ headers: c.req.raw.headers, body }))
      const entry = { action: 'workspace created', subject: 'workspace', after: { name }, at: clock() }
      await recordAudit(tx, {
        workspaceId: made.id,
        userId: c.get('user').id,
        ...entry,
      })
      return made
    })
    const { id, createdAt } = created
    return c.json({ data: workspaceAnswer({ id, name, requireTwoFactor: false, createdAt, role: 'owner' }) }, 201)
  })

  app.get('/api/workspaces', async (c) => {
    const page = readPage(c)
    const { rows, total } = await listWorkspaces(db, { userId: c.get('user').id, ...page })
    return answerList(c, rows.map(workspaceAnswer), { ...page, total })
  })
}
