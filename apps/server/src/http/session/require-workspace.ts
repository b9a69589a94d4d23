import type { Permission } from '@tributary/contract'
import { createMiddleware } from 'hono/factory'
import { findWorkspace } from '../../accounts/workspaces.ts'
import { Refusal } from '../../refusal.ts'
import type { Dependencies, Env } from '../context.ts'
import { refuseWithout } from './require-session.ts'

export const missing = (what: string) => new Refusal('not_found', `There is no such ${what}.`)

/** The workspace exists, and the caller's role in it has the permission. */
export const requireWorkspace = (dependencies: Dependencies, permission: Permission) =>
  createMiddleware<Env>(async (c, next) => {
    const workspaceId = c.req.param('workspaceId') ?? ''
    if (!(await findWorkspace(dependencies.db, workspaceId))) throw missing('workspace')
    await refuseWithout(dependencies, { userId: c.get('user').id, workspaceId, permission })
    await next()
  })
