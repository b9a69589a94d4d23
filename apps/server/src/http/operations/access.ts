import { rowIdText } from '@tributary/contract'
import type { Declaration } from '@tributary/contract/declarations'
import { findView } from '../../accounts/partner-views.ts'
import { findWorkspace, roleIn } from '../../accounts/workspaces.ts'
import { findPartner, partnerOfUser } from '../../partners/partner-users.ts'
import { hasPermission, requirePermission } from '../../platform/access.ts'
import { type Actor, type Member, type Partner, type PartnerView, userOf } from '../../platform/actor.ts'
import { type Audit, auditFor } from '../../platform/audit.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies } from '../context.ts'
import { requireKey } from '../keyed/keyed-call.ts'
import { findSession } from '../sign-in/require-session.ts'

/** Who calls, and the program and the caller's partner in it, if the call is about one. */
export type Admitted = { actor: Actor; program?: Program; partner?: Partner }

/** Who calls, whether the program or workspace exists for them, and whether they may, in this order. */
export const admit = async (c: Call, dependencies: Dependencies, declaration: Declaration): Promise<Admitted> => {
  const { caller = 'session', limit } = declaration
  if (limit) dependencies.limits[limit](c.get('clientIp'))
  if (caller === 'session') return admitMember(c, dependencies, declaration)
  if (caller === 'partner') return admitPartner(c, dependencies, declaration)
  if (caller === 'key' || (caller === 'browser or key' && c.req.header('authorization') !== undefined))
    return { actor: { kind: 'key' }, program: await requireKey(c, dependencies) }
  return { actor: { kind: 'visitor' }, ...(await findPlace(c, dependencies, declaration)) }
}

/** Every role has it, so requiring it requires membership. */
const ANY_MEMBER = 'program:read'

const admitMember = async (
  c: Call,
  dependencies: Dependencies,
  { path, permission = ANY_MEMBER }: Declaration,
): Promise<Admitted> => {
  const { db } = dependencies
  const actor = { kind: 'member' as const, ...(await findPerson(c, dependencies)) }
  const { program } = await findPlace(c, dependencies, { path })
  const workspaceId = program?.workspaceId ?? c.req.param('workspaceId')
  if (workspaceId === undefined) return { actor }
  if (!program) orNotFound(await findWorkspace(db, workspaceId), 'workspace')
  await requirePermission(db, { user: actor, workspaceId, permission })
  return { actor, ...(program && { program }) }
}

/** Membership of the workspace does not qualify: only the caller's own partner, or the one that an owner views. */
const admitPartner = async (
  c: Call,
  dependencies: Dependencies,
  { method, path, isOpenToApplicants }: Declaration,
): Promise<Admitted> => {
  const { db } = dependencies
  const person = await findPerson(c, dependencies)
  const view = await findActiveView(dependencies, person)
  if (view && method !== 'get')
    throw new Refusal(
      'read_only_view',
      'You are viewing the portal as a partner, which is read-only. Exit the view to make changes.',
    )
  const actor = { kind: 'partner' as const, view, ...person }
  const { program } = await findPlace(c, dependencies, { path })
  if (!program) return { actor }
  if (isOpenToApplicants) return { actor, program }
  const programId = program.id
  const viewed = view?.partner.programId === programId ? view.partner : undefined
  const partner = view ? viewed : await partnerOfUser(db, { userId: actor.id, programId })
  if (!partner)
    throw new Refusal(
      'forbidden',
      'You are not a partner of this program. Apply to it, or ask the program for an invitation.',
    )
  // Whoever views the portal as the partner is not the partner.
  if (!view) await dependencies.visits({ programId, partnerId: partner.partnerId, ip: c.get('clientIp') })
  return { actor, program, partner }
}

type Person = Omit<Member, 'kind'>

const findPerson = async (c: Call, dependencies: Dependencies): Promise<Person> => {
  const { id: sessionId, user } = await findSession(c, dependencies)
  return { ...user, sessionId, headers: c.req.raw.headers }
}

/**
 * An owner's view of a partner applies to every portal call of their session. What starting it requires is read each time, so losing
 * it ends the view.
 */
const findActiveView = async ({ db, clock }: Dependencies, user: Person): Promise<PartnerView | null> => {
  const view = await findView(db, { sessionId: user.sessionId, at: clock() })
  const program = view && (await findProgram(db, view.programId))
  if (!view || !program) return null
  const { workspaceId } = program
  const isOwner = (await roleIn(db, { userId: user.id, workspaceId })) === 'owner'
  const mayView = isOwner && (await hasPermission(db, { user, workspaceId, permission: 'payout:manage' }))
  const partner = mayView ? await findPartner(db, view) : undefined
  return partner ? { partner, endsAt: view.endsAt } : null
}

/** The program in the path. */
const findPlace = async (c: Call, { db }: Dependencies, { path }: Pick<Declaration, 'path'>) => {
  if (!path.includes('{programId}')) return {}
  const id = rowIdText.safeParse(c.req.param('programId')).data
  const program = id === undefined ? undefined : await findProgram(db, id)
  if (!program) throw new Refusal('program_not_found', 'No program has this ID. Check the ID in the path.')
  return { program }
}

/** Whether someone who was admitted still would be. An error of the database does not end their access. */
export const isStillAdmitted = async (
  c: Call,
  dependencies: Dependencies,
  { actor, program, permission = ANY_MEMBER }: Pick<Admitted, 'actor' | 'program'> & Pick<Declaration, 'permission'>,
) => {
  if (actor.kind === 'key') return isKeyActive(c, dependencies)
  if (actor.kind !== 'member' || !program) throw new Error('Only members and keys have streams, about a program')
  const right = { user: actor, workspaceId: program.workspaceId, permission }
  const isAdmitted = async () => (await isSignedIn(dependencies, actor)) && hasPermission(dependencies.db, right)
  return isAdmitted().catch(() => true)
}

const isSignedIn = async ({ auth }: Dependencies, { id, headers }: Person) => {
  const session = await auth.api.getSession({ headers })
  return session?.user.id === id
}

const isKeyActive = (c: Call, { keyedPrograms }: Dependencies) => {
  const key = c.req.header('authorization')?.split(/ +/)[1] ?? ''
  const isNoRefusal = (error: unknown) => !(error instanceof Refusal && error.code === 'invalid_api_key')
  return keyedPrograms(key, () => {}).then((program) => program !== null, isNoRefusal)
}

/** Writes audit log entries for the caller, about the program or workspace of the path. */
export const auditOf = (c: Call, { actor, program, partner }: Admitted): Audit => {
  const workspaceId = c.req.param('workspaceId')
  const author = { userId: userOf(actor), ...(partner && { byPartnerId: partner.partnerId }) }
  if (workspaceId !== undefined) return auditFor({ workspaceId }, author)
  if (program) return auditFor({ programId: program.id }, author)
  return () => Promise.reject(new Error('This operation has no program or workspace: use recordAudit'))
}
