import type { Permission } from '@tributary/contract'
import { findWorkspace } from '../../accounts/workspaces.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import type { Call, Dependencies } from '../context.ts'
import { requirePermission } from './require-session.ts'

/** Puts the database in the context, or refuses: the workspace exists, and the caller's role in it has the permission. */
export const findAccessibleWorkspace = async (c: Call, { db }: Pick<Dependencies, 'db'>, permission: Permission) => {
  const workspaceId = c.req.param('workspaceId') ?? ''
  orNotFound(await findWorkspace(db, workspaceId), 'workspace')
  await requirePermission({ db }, { user: c.get('user'), workspaceId, permission })
  c.set('db', db)
}
