import type { EventReason } from '@tributary/contract'
import type { Clock } from '../clock.ts'
import { isBadWeather } from '../database/bad-weather.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { applyEvent, hearOfAccount, isForeign, type Source } from './apply-event.ts'
import { decideEvent, keepEvent, lockToTryAgain, type Outcome } from './inbox.ts'
import { redactLateEvent } from './redact-late-event.ts'
import type { IncomingEvent } from './translation.ts'

export type ReceiveDeps = { db: Database; clock: Clock; hashKey: string; log: Log }

type Received = {
  source: Source
  event: IncomingEvent
  raw: Buffer
  /** What else this delivery proves, in the same transaction: that the signing secret is right. */
  also?: (tx: Tx) => Promise<void>
}

/**
 * Keeps an event and does what it says, in one transaction. A second delivery changes nothing. One that we fail at for a
 * reason of our own is kept as well: the processor stops sending it one day. Another delivery, or a replay, makes it good.
 */
export const receiveEvent = async (deps: ReceiveDeps, received: Received) => {
  try {
    return await inTransaction(deps.db, async (tx) => {
      const { source, event } = received
      const kept = await keepOnce(tx, received, () => applyEvent(tx, deps, source, event))
      if (kept.duplicate) await hearOfAccount(tx, source, event)
      return kept
    })
  } catch (error) {
    if (isBadWeather(error) || isOverload(error)) throw error
    deps.log.error({ err: error, eventId: received.event.id }, 'processor event not applied')
    const failed: Outcome = { reportId: null, fate: 'waiting', reason: 'not_processed' }
    return inTransaction(deps.db, (tx) => keepOnce(tx, received, async () => failed))
  }
}

/** No connection was free in time: nothing of the event was looked at, and the processor will send it again. */
const isOverload = (error: unknown) => error instanceof Refusal && error.code === 'overloaded'

/** That we failed; or that it came first by the endpoint of another account, and now by that of its own. */
const reasonsToTryAgain = (source: Source, event: IncomingEvent): EventReason[] =>
  isForeign(source, event) ? ['not_processed'] : ['not_processed', 'foreign_account']

export const keepOnce = async (tx: Tx, { source, event, raw, also }: Received, apply: () => Promise<Outcome>) => {
  await also?.(tx)
  const programId = source.home.id
  const { id: eventId, object: _, ...envelope } = event
  const kept = await keepEvent(tx, { programId, processor: 'stripe', eventId, ...envelope, payload: raw })
  const id = kept ?? (await lockToTryAgain(tx, { programId, eventId, reasons: reasonsToTryAgain(source, event) }))
  if (id === null) return { duplicate: true as const }
  const outcome = await apply()
  await decideEvent(tx, { programId, id, ...outcome })
  const { reportId } = outcome
  if (reportId !== null) await redactLateEvent(tx, { programId, id, reportId, payload: raw, at: event.receivedAt })
  return { duplicate: false as const }
}
