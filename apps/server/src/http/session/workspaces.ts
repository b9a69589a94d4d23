import { createWorkspaceRequest, type Role } from '@tributary/contract'
import { permissionsOf } from '../../accounts/roles.ts'
import { isFirstUser, listWorkspaces } from '../../accounts/workspaces.ts'
import { note } from '../../audit/audit-log.ts'
import { inTransaction } from '../../database/transaction.ts'
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
  const { db, authIn, clock, openSignup } = dependencies

  /** Where sign-up is closed, a partner has an account for the portal, and may not create a workspace with it. */
  const refusePartner = async (userId: string) => {
    if (openSignup || (await isFirstUser(db, userId))) return
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
    const created = await inTransaction(db, async (tx) => {
      const body = { name, slug }
      const made = await asRefusal(authIn(tx).api.createOrganization({ headers: c.req.raw.headers, body }))
      const entry = { action: 'workspace created', subject: 'workspace', after: { name }, at: clock() }
      await note(tx, { workspaceId: made.id, userId: c.get('user').id, ...entry })
      return made
    })
    return c.json({ data: workspaceAnswer({ id: created.id, name, createdAt: created.createdAt, role: 'owner' }) }, 201)
  })

  app.get('/api/workspaces', async (c) => {
    const page = readPage(c)
    const { rows, total } = await listWorkspaces(db, { userId: c.get('user').id, ...page })
    return answerList(c, rows.map(workspaceAnswer), { ...page, total })
  })
}
