import type { Declaration } from '@tributary/contract/declarations'
import { hasPermission } from '../../platform/access.ts'
import { type Actor, userOf } from '../../platform/actor.ts'
import { type Audit, auditFor } from '../../platform/audit.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies } from '../context.ts'
import { requireKey } from '../keyed/require-key.ts'
import { findOwnPartner } from '../portal/require-partner.ts'
import { programInPath } from '../program-in-path.ts'
import { findAccessibleProgram, findSession } from '../session/require-session.ts'
import { findAccessibleWorkspace } from '../session/require-workspace.ts'

/** What a role needs for what its declaration leaves open: membership. */
const ANY_MEMBER = 'program:read'

/**
 * Who calls, whether the program or workspace exists for them, and whether they may, in this order. Leaves the program, the partner
 * and the database in the context.
 */
export const admit = async (c: Call, dependencies: Dependencies, declaration: Declaration): Promise<Actor> => {
  const { caller = 'session', limit } = declaration
  c.set('db', dependencies.db)
  if (limit) dependencies.limits[limit](c.get('clientIp'))
  if (caller === 'public') return admitVisitor(c, dependencies, declaration)
  if (caller === 'key') return admitKey(c, dependencies)
  if (caller === 'browser or key')
    return c.req.header('authorization') === undefined ? { kind: 'visitor' } : admitKey(c, dependencies)
  // The session is already known where all routes below a path need one (app.ts).
  if (!c.get('sessionId')) await findSession(c, dependencies)
  const person = { ...c.get('user'), sessionId: c.get('sessionId'), headers: c.req.raw.headers }
  if (caller === 'session') {
    await admitMember(c, dependencies, declaration)
    return { kind: 'member', ...person }
  }
  if (declaration.isOpenToApplicants) c.set('program', await programInPath(c, dependencies))
  else if (declaration.path.includes('{programId}')) await findOwnPartner(c, dependencies)
  return { kind: 'partner', view: c.get('view'), ...person }
}

const admitVisitor = async (c: Call, dependencies: Dependencies, { path }: Declaration): Promise<Actor> => {
  if (path.includes('{programId}')) c.set('program', await programInPath(c, dependencies))
  return { kind: 'visitor' }
}

const admitKey = async (c: Call, dependencies: Dependencies): Promise<Actor> => {
  const program = await requireKey(c, dependencies)
  c.set('program', program)
  return { kind: 'key' }
}

const admitMember = async (
  c: Call,
  dependencies: Dependencies,
  { path, permission = ANY_MEMBER }: Pick<Declaration, 'path' | 'permission'>,
) => {
  if (path.includes('{programId}')) await findAccessibleProgram(c, dependencies, permission)
  else if (path.includes('{workspaceId}')) await findAccessibleWorkspace(c, dependencies, permission)
}

/** Whether someone who was admitted still would be. An error of the database does not end their access. */
export const isStillAdmitted = async (c: Call, dependencies: Dependencies, { caller, permission }: Declaration) => {
  if (caller === 'key') return isKeyActive(c, dependencies)
  const user = c.get('user')
  const { workspaceId } = c.get('program')
  const right = { user, workspaceId, permission: permission ?? ANY_MEMBER }
  const isAdmitted = async () => (await isSignedIn(c, dependencies)) && hasPermission(dependencies.db, right)
  return isAdmitted().catch(() => true)
}

const isSignedIn = async (c: Call, { auth }: Dependencies) => {
  const session = await auth.api.getSession({ headers: c.req.raw.headers })
  return session?.user.id === c.get('user').id
}

const isKeyActive = (c: Call, { keyedPrograms }: Dependencies) => {
  const key = c.req.header('authorization')?.split(/ +/)[1] ?? ''
  const isNoRefusal = (error: unknown) => !(error instanceof Refusal && error.code === 'invalid_api_key')
  return keyedPrograms(key, () => {}).then((program) => program !== null, isNoRefusal)
}

/** Writes audit log entries for the caller, about the program or workspace of the path. */
export const auditOf = (c: Call, actor: Actor): Audit => {
  const byPartnerId = c.get('partner')?.partnerId
  const workspaceId = c.req.param('workspaceId')
  const place = workspaceId === undefined ? { programId: c.get('program')?.id } : { workspaceId }
  return auditFor(place, { userId: userOf(actor), ...(byPartnerId !== undefined && { byPartnerId }) })
}
