import { workspacesOf } from '../../accounts/operator.ts'
import { recordAudit } from '../../audit/audit-log.ts'
import type { Tx } from '../../database/transaction.ts'
import { partnershipsOf } from '../../partners/partner-users.ts'

/** In audit entries of commands, which have no user. */
export const BY_OPERATOR = { by: 'command line' }

type Change = { user: { id: string; email: string }; action: string; at: Date }

/** Records a change to an account in every workspace and program that it can reach. */
export const recordAccountChange = async (tx: Tx, { user, action, at }: Change) => {
  const entry = { userId: null, action, after: BY_OPERATOR, at }
  for (const workspaceId of await workspacesOf(tx, user.id))
    await recordAudit(tx, { workspaceId, subject: `member ${user.email}`, ...entry })
  for (const { programId, partnerId } of await partnershipsOf(tx, user.id))
    await recordAudit(tx, { programId, subject: `partner ${partnerId}`, ...entry })
}
