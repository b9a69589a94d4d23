import type { Permission, Role } from '@tributary/contract'
import { PERMISSIONS } from '@tributary/contract'
import { createAccessControl } from 'better-auth/plugins/access'
import { defaultStatements } from 'better-auth/plugins/organization/access'

/** Our permissions, in addition to those better-auth checks for its own calls. */
const statements = {
  ...defaultStatements,
  tracking: ['read', 'list'],
  program: ['read', 'create', 'update'],
  key: ['manage'],
  partner: ['manage'],
  commission: ['read'],
  payout: ['manage'],
  member: [...defaultStatements.member, 'manage'],
} as const

export const accessControl = createAccessControl(statements)

const viewer = { tracking: ['read', 'list'], program: ['read'], commission: ['read'] } as const
const member = { ...viewer, program: ['read', 'update'], partner: ['manage'] } as const
const admin = {
  ...member,
  program: ['read', 'create', 'update'],
  key: ['manage'],
  payout: ['manage'],
  member: ['create', 'update', 'delete', 'manage'],
  invitation: ['create', 'cancel'],
  organization: ['update'],
} as const

/** Every role but `billing` can see tracking data; `billing` sees only money. */
export const roles = {
  owner: accessControl.newRole({ ...admin, organization: ['update', 'delete'] }),
  admin: accessControl.newRole(admin),
  member: accessControl.newRole(member),
  viewer: accessControl.newRole(viewer),
  billing: accessControl.newRole({ program: ['read'], commission: ['read'], payout: ['manage'] }),
} satisfies Record<Role, unknown>

export const roleHasPermission = (role: Role, permission: Permission): boolean => {
  const [noun = '', verb = ''] = permission.split(':')
  return roles[role].authorize({ [noun]: [verb] }).success
}

export const permissionsOf = (role: Role): Permission[] =>
  PERMISSIONS.filter((permission) => roleHasPermission(role, permission))
