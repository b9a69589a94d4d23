import type { Permission } from '@tributary/contract'
import { createMiddleware } from 'hono/factory'
import { findWorkspace } from '../../accounts/workspaces.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies, Env } from '../context.ts'
import { requirePermission } from './require-session.ts'

export const notFound = (what: string) =>
  new Refusal('not_found', `This ${what} does not exist. Check the ID in the path.`)

/** Requires that the workspace exists and the caller's role in it has the permission. */
export const requireWorkspace = (dependencies: Dependencies, permission: Permission) =>
  createMiddleware<Env>(async (c, next) => {
    await findAccessibleWorkspace(c, dependencies, permission)
    await next()
  })

/** Puts the database in the context, or refuses. */
export const findAccessibleWorkspace = async (c: Call, { db }: Pick<Dependencies, 'db'>, permission: Permission) => {
  const workspaceId = c.req.param('workspaceId') ?? ''
  if (!(await findWorkspace(db, workspaceId))) throw notFound('workspace')
  await requirePermission({ db }, { user: c.get('user'), workspaceId, permission })
  c.set('db', db)
}
