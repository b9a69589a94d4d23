import type { Role } from '@tributary/contract'
import { WORKSPACES } from '@tributary/contract/declared'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { asRefusal } from '../as-refusal.ts'
import type { Auth } from '../auth.ts'
import { permissionsOf, roleHasPermission } from '../roles.ts'
import { isFirstUser, listWorkspaces, rolesOf } from '../workspaces.ts'

type Services = { authIn: (tx: Tx) => Auth; openSignup: boolean }

export const workspaces = ({ authIn, openSignup }: Services) =>
  runs(
    WORKSPACES,
    {},
    {
      create: {
        allow: async ({ db, actor }) => {
          if (!openSignup) await refuseOutsiders(db, actor.id)
        },
        run: async ({ tx, actor, clock, body: { name } }) => {
          const organization = { headers: actor.headers, body: { name, slug: crypto.randomUUID() } }
          const { id, createdAt } = await asRefusal(authIn(tx).api.createOrganization(organization))
          const entry = { action: 'workspace created', subject: 'workspace', after: { name }, at: clock() }
          await recordAudit(tx, { workspaceId: id, userId: actor.id, ...entry })
          return workspaceAnswer({ id, name, requireTwoFactor: false, createdAt, role: 'owner' })
        },
      },

      list: async ({ db, actor, query }) => {
        const { rows, total } = await listWorkspaces(db, { userId: actor.id, ...query })
        return { rows: rows.map(workspaceAnswer), total }
      },
    },
  )

type OwnWorkspace = { id: string; name: string; requireTwoFactor: boolean; createdAt: Date; role: Role }

export const workspaceAnswer = (workspace: OwnWorkspace) => ({
  ...workspace,
  permissions: permissionsOf(workspace.role),
})

/**
 * An owner can invite any address. While sign-up is closed, only the first account and members who may invite others can
 * therefore create a workspace.
 */
const refuseOutsiders = async (db: Database, userId: string) => {
  const roles = await rolesOf(db, userId)
  if (roles.some((role) => roleHasPermission(role, 'member:manage'))) return
  if (roles.length > 0)
    throw new Refusal(
      'forbidden',
      'Only owners and admins can create another workspace. Ask an owner or admin of your workspace to create it and invite you.',
    )
  if (!(await isFirstUser(db, userId)))
    throw new Refusal(
      'forbidden',
      'Your account does not belong to a workspace. Ask an owner or admin of one to invite you.',
    )
}
