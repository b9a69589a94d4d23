import { type Permission, programId } from '@tributary/contract'
import { createMiddleware } from 'hono/factory'
import { roleHasPermission } from '../../accounts/roles.ts'
import { requiresTwoFactor, roleIn } from '../../accounts/workspaces.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies, Env, SignedInUser } from '../context.ts'
import { asRefusal } from './people/as-refusal.ts'

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
export const hasPermission = async (c: Call, db: Database | Tx, permission: Permission) => {
  const access = { user: c.get('user'), workspaceId: c.get('program').workspaceId }
  if (!(await roleAllows(c, db, permission))) return false
  return permission !== 'payout:manage' || !(await lacksSecondFactor(db, access))
}

/** The same without regard to the second factor. */
export const roleAllows = async (c: Call, db: Database | Tx, permission: Permission) => {
  const role = await roleIn(db, { userId: c.get('user').id, workspaceId: c.get('program').workspaceId })
  return role !== null && roleHasPermission(role, permission)
}

type Right = { user: SignedInUser; workspaceId: string; permission: Permission }

export const requirePermission = async ({ db }: { db: Database | Tx }, { user, workspaceId, permission }: Right) => {
  const role = await roleIn(db, { userId: user.id, workspaceId })
  if (!role)
    throw new Refusal('forbidden', 'You are not a member of this workspace. Ask an owner or admin to invite you.')
  if (!roleHasPermission(role, permission))
    throw new Refusal(
      'forbidden',
      `Your role (${role}) does not include the ${permission} permission. Ask an owner or admin of the workspace.`,
    )
  if (permission === 'payout:manage') await requireSecondFactor(db, { user, workspaceId })
}

type Access = { user: SignedInUser; workspaceId: string }

const lacksSecondFactor = async (db: Database | Tx, { user, workspaceId }: Access) =>
  !user.hasSecondFactor && (await requiresTwoFactor(db, workspaceId))

/** Deciding where money goes needs a second factor, if the workspace says so. */
export const requireSecondFactor = async (db: Database | Tx, access: Access) => {
  if (await lacksSecondFactor(db, access))
    throw new Refusal(
      'two_factor_required',
      'This workspace requires two-factor sign-in for payouts, rewards and payout details. Turn it on in your account settings, or sign in again with a code.',
    )
}
