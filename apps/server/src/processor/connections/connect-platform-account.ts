import { recordAudit } from '../../audit/audit-log.ts'
import { inTransaction } from '../../database/transaction.ts'
import { createConnection, lockConnection } from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { claimUnassignedEvents } from '../claim-unassigned-events.ts'
import { ensureInboxProgram, findInboxProgram } from '../inbox-programs.ts'
import type { ReceiveDeps } from '../receive-event.ts'
import type { ConnectedAccount } from '../stripe/connect.ts'
import { claimAccount, lockAccounts, releaseAccount } from './accounts.ts'

type ConnectRequest = { program: Program; userId: string; account: ConnectedAccount }

/**
 * Connects an account that its merchant authorized for the platform. Platform events identify the workspace only by account, so
 * an account connected to two workspaces would be credited twice: the second is refused.
 */
export const connectPlatformAccount = (
  deps: ReceiveDeps,
  { program, userId, account: { accountId, livemode, flags } }: ConnectRequest,
) =>
  inTransaction(deps.db, async (tx) => {
    const at = deps.clock()
    const { id: programId, workspaceId } = program
    const before = await lockConnection(tx, programId)
    const previousAccountId = before?.kind === 'platform' && before.accountId !== accountId ? before.accountId : null
    await lockAccounts(tx, previousAccountId ? [accountId, previousAccountId] : [accountId])
    if (!(await claimAccount(tx, { accountId, workspaceId })))
      throw new Refusal('conflict', 'This account is connected to another workspace. Disconnect it there first.')
    await ensureInboxProgram(tx, { workspaceId, programId })
    const status = flags?.chargesEnabled === false ? 'restricted' : 'connected'
    const settings = { kind: 'platform', status, accountId, livemode, connectedAt: at }
    await createConnection(tx, programId, { ...settings, ...flags }, at)
    if (previousAccountId) await releaseAccount(tx, previousAccountId)
    const entry = { action: 'processor connected', subject: 'processor', after: { kind: 'platform', accountId } }
    await recordAudit(tx, { programId, userId, ...entry, before: before && { status: before.status }, at })
    const inboxProgram = (await findInboxProgram(tx, workspaceId)) ?? program
    await claimUnassignedEvents(tx, deps, {
      source: { inboxProgram, programIds: [programId], accountId, livemode },
      accountId,
      at,
    })
  })
