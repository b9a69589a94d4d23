import type { Permission } from '@tributary/contract'
import { roleHasPermission } from '../accounts/roles.ts'
import { requiresTwoFactor, roleIn } from '../accounts/workspaces.ts'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'
import type { SignedInUser } from './actor.ts'

type Access = { user: SignedInUser; workspaceId: string }
type Right = Access & { permission: Permission }

export const requirePermission = async (db: Database | Tx, { user, workspaceId, permission }: Right) => {
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

/** Whether the caller has a permission that the operation itself does not require. */
export const hasPermission = async (db: Database | Tx, { permission, ...access }: Right) => {
  if (!(await roleAllows(db, { permission, ...access }))) return false
  return permission !== 'payout:manage' || !(await lacksSecondFactor(db, access))
}

/** The same without regard to the second factor. */
const roleAllows = async (db: Database | Tx, { user, workspaceId, permission }: Right) => {
  const role = await roleIn(db, { userId: user.id, workspaceId })
  return role !== null && roleHasPermission(role, permission)
}

/** `what` the caller is about to do affects who is paid. */
export const requirePayoutManage = async (db: Database | Tx, access: Access, what: string) => {
  if (!(await roleAllows(db, { ...access, permission: 'payout:manage' })))
    throw new Refusal(
      'forbidden',
      `${what} requires payout:manage, because it affects who is paid. Ask an owner or admin of the workspace.`,
    )
  await requireSecondFactor(db, access)
}

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
