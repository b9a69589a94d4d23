import { createWorkspaceRequest, type Role } from '@tributary/contract'
import { permissionsOf } from '../../accounts/roles.ts'
import { listWorkspaces } from '../../accounts/workspaces.ts'
import { partnersOfUser } from '../../partners/partner-users.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { answerList, readPage } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { asRefusal } from './accounts.ts'

export const workspaceAnswer = ({ role, ...workspace }: { id: string; name: string; createdAt: Date; role: Role }) => ({
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
