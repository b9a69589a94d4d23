import { recordAudit } from '../../audit/audit-log.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { isTransientError } from '../../database/transient-errors.ts'
import { inSavepoint } from '../../outbox/publish-changes.ts'
import { createConnection, lockConnection } from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { reapplyEvent, type Source } from '../apply-event.ts'
import type { Outcome } from '../inbox.ts'
import { ensureInboxProgram, findInboxProgram } from '../inbox-programs.ts'
import type { ConnectedAccount } from '../port.ts'
import { processorOf } from '../processors.ts'
import { type ReceiveDeps, storeOnce } from '../receive-event.ts'
import { readEvent } from '../translate-event.ts'
import type { IncomingEvent } from '../translation.ts'
import { listUnassignedEvents, markClaimed } from '../unassigned-events.ts'
import { claimAccount, lockAccounts, releaseAccount } from './accounts.ts'

type ConnectRequest = { processor: string; program: Program; userId: string; account: ConnectedAccount }

/**
 * Connects an account that its merchant authorized for the platform. Platform events identify the workspace only by account, so
 * an account connected to two workspaces would be credited twice: the second is refused.
 */
export const connectPlatformAccount = (
  deps: ReceiveDeps,
  { processor, program, userId, account: { accountId, livemode, flags } }: ConnectRequest,
) =>
  inTransaction(deps.db, async (tx) => {
    const at = deps.clock()
    const { id: programId, workspaceId } = program
    const key = { programId, processor }
    const before = await lockConnection(tx, key)
    const previousAccountId = before?.kind === 'platform' && before.accountId !== accountId ? before.accountId : null
    await lockAccounts(tx, previousAccountId ? [accountId, previousAccountId] : [accountId])
    if (!(await claimAccount(tx, { accountId, workspaceId })))
      throw new Refusal('conflict', 'This account is connected to another workspace. Disconnect it there first.')
    await ensureInboxProgram(tx, { workspaceId, programId })
    const status = flags?.chargesEnabled === false ? 'restricted' : 'connected'
    const settings = { kind: 'platform', status, accountId, livemode, connectedAt: at }
    await createConnection(tx, key, { ...settings, ...flags }, at)
    if (previousAccountId) await releaseAccount(tx, previousAccountId)
    const entry = { action: 'processor connected', subject: 'processor', after: { kind: 'platform', accountId } }
    await recordAudit(tx, { programId, userId, ...entry, before: before && { status: before.status }, at })
    const inboxProgram = (await findInboxProgram(tx, workspaceId)) ?? program
    await claimUnassignedEvents(tx, deps, {
      source: { inboxProgram, endpointProgramId: null, programIds: [programId], accountId, livemode },
      accountId,
      at,
    })
  })

type Deps = Omit<ReceiveDeps, 'db'>
type ClaimOptions = { source: Source; accountId: string; at: Date }

/** Account changes and test events were valid only at their time. */
const NOT_APPLIED: Outcome = { reportId: null, fate: 'ignored', reason: 'before_connection' }
const FAILED: Outcome = { reportId: null, fate: 'waiting', reason: 'not_processed' }

/**
 * Processes events that arrived before their account was connected, in the transaction that connects it. Payments may be older;
 * their order does not matter.
 */
const claimUnassignedEvents = async (tx: Tx, deps: Deps, { source, accountId, at }: ClaimOptions) => {
  for (const stored of await listUnassignedEvents(tx, accountId)) {
    const raw = Buffer.from(stored.payload)
    const { receivedAt, eventId } = stored
    const event = readEvent(processorOf(stored), { text: raw.toString('utf8'), receivedAt, eventId })
    if (event) await claim(tx, deps, { source, event, raw })
    await markClaimed(tx, { eventId: stored.eventId, at })
  }
}

type UnassignedEvent = { source: Source; event: IncomingEvent; raw: Buffer }

/** A failure of ours must not prevent the account from being connected. */
const claim = async (tx: Tx, deps: Deps, unassigned: UnassignedEvent) => {
  const apply = async () => (await reapplyEvent(tx, deps, unassigned.source, unassigned.event)) ?? NOT_APPLIED
  try {
    await inSavepoint(tx, () => storeOnce(tx, unassigned, apply))
  } catch (error) {
    if (isTransientError(error)) throw error
    deps.log.error({ err: error, eventId: unassigned.event.id }, 'could not apply processor event')
    await storeOnce(tx, unassigned, async () => FAILED)
  }
}
