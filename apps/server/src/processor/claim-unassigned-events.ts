import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { isTransientError } from '../database/transient-errors.ts'
import { reapplyEvent, type Source } from './apply-event.ts'
import type { Outcome } from './inbox.ts'
import { type ReceiveDeps, storeOnce } from './receive-event.ts'
import { readEvent } from './stripe/read-event.ts'
import type { IncomingEvent } from './translation.ts'
import { listUnassignedEvents, markClaimed } from './unassigned-events.ts'

type Deps = Omit<ReceiveDeps, 'db'>
type ClaimOptions = { source: Source; accountId: string; at: Date }

/** Account changes and test events were valid only at their time. */
const NOT_APPLIED: Outcome = { reportId: null, fate: 'ignored', reason: 'before_connection' }
const FAILED: Outcome = { reportId: null, fate: 'waiting', reason: 'not_processed' }

/**
 * Processes events that arrived before their account was connected, in the transaction that connects it. Payments may be older;
 * their order does not matter.
 */
export const claimUnassignedEvents = async (tx: Tx, deps: Deps, { source, accountId, at }: ClaimOptions) => {
  for (const { eventId, payload, receivedAt } of await listUnassignedEvents(tx, accountId)) {
    const raw = Buffer.from(payload)
    const event = readEvent(raw.toString('utf8'), receivedAt)
    if (event) await claim(tx, deps, { source, event, raw })
    await markClaimed(tx, { eventId, at })
  }
}

type UnassignedEvent = { source: Source; event: IncomingEvent; raw: Buffer }

/** A failure of ours must not prevent the account from being connected. */
const claim = async (tx: Tx, deps: Deps, unassigned: UnassignedEvent) => {
  await sql`SAVEPOINT unassigned`.execute(tx)
  try {
    await storeOnce(
      tx,
      unassigned,
      async () => (await reapplyEvent(tx, deps, unassigned.source, unassigned.event)) ?? NOT_APPLIED,
    )
  } catch (error) {
    if (isTransientError(error)) throw error
    deps.log.error({ err: error, eventId: unassigned.event.id }, 'could not apply processor event')
    await sql`ROLLBACK TO SAVEPOINT unassigned`.execute(tx)
    await storeOnce(tx, unassigned, async () => FAILED)
  }
  await sql`RELEASE SAVEPOINT unassigned`.execute(tx)
}
