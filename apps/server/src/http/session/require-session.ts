import { type Permission, programId } from '@tributary/contract'
import { createMiddleware } from 'hono/factory'
import { asRefusal } from '../../accounts/as-refusal.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { requirePermission as requireRight, hasPermission as roleHasPermission } from '../../platform/access.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies, Env, SignedInUser } from '../context.ts'

/** Requires a dashboard session. A program API key is not accepted. */
export const requireSession = ({ auth, limits }: Dependencies) =>
  createMiddleware<Env>(async (c, next) => {
    await findSession(c, { auth, limits })
    await next()
  })

/** Puts the signed-in user in the context, or refuses. */
export const findSession = async (c: Call, { auth, limits }: Pick<Dependencies, 'auth' | 'limits'>) => {
  const session = await asRefusal(auth.api.getSession({ headers: c.req.raw.headers }))
  if (!session) limits.visitor(c.get('clientIp'))
  else limits.user(session.user.id)
  if (!session) throw new Refusal('unauthenticated', 'Sign in to the dashboard first. API keys are not accepted here.')
  const { id, email, name, twoFactorEnabled } = session.user
  const hasSecondFactor = Boolean(twoFactorEnabled && session.session.secondFactorAt)
  c.set('user', { id, email, name, hasSecondFactor })
  c.set('sessionId', session.session.id)
}

/** verify-program-access: the program exists, and the caller's role in its workspace has the permission. */
export const requireProgram = (dependencies: Dependencies, permission: Permission) =>
  createMiddleware<Env>(async (c, next) => {
    await findAccessibleProgram(c, dependencies, permission)
    await next()
  })

/** Puts the program of the path and the database in the context, or refuses. */
export const findAccessibleProgram = async (c: Call, { db }: Pick<Dependencies, 'db'>, permission: Permission) => {
  const id = programId.safeParse(c.req.param('programId'))
  const program = id.success ? await findProgram(db, id.data) : undefined
  if (!program) throw new Refusal('program_not_found', 'No program has this ID. Check the ID in the path.')
  await requirePermission({ db }, { user: c.get('user'), workspaceId: program.workspaceId, permission })
  c.set('db', db)
  c.set('program', program)
}

/** Whether the caller's role includes a permission that the route itself does not require. */
export const hasPermission = (c: Call, db: Database | Tx, permission: Permission) =>
  roleHasPermission(db, { user: c.get('user'), workspaceId: c.get('program').workspaceId, permission })

type Right = { user: SignedInUser; workspaceId: string; permission: Permission }

export const requirePermission = ({ db }: { db: Database | Tx }, right: Right) => requireRight(db, right)

export { requireSecondFactor } from '../../platform/access.ts'
