import type { EventReason } from '@tributary/contract'
import type { Recorder } from '../clock.ts'
import {
  type Batch,
  type Batches,
  createUnbatchedQueue,
  excluding,
  type Outcome as InBatch,
  isResult,
  RERUN,
} from '../database/batches.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { isTransientError } from '../database/transient-errors.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import {
  applyEvent,
  applyReports,
  extractReport,
  isForeign,
  type Source,
  updateAccountFromDuplicate,
} from './apply-event.ts'
import { lockForRetry, type Outcome, type StoredEvent, storeEvents, storeOutcome } from './inbox.ts'
import { linkAndRedact } from './redact-late-event.ts'
import type { IncomingEvent } from './translation.ts'

export type EventBatches = Batches<Received, Receipt>
export type ReceiveDeps = Recorder & { db: Database; log: Log }

export type Received = {
  source: Source
  event: IncomingEvent
  raw: Buffer
  /** Runs in the same transaction; records that the signing secret is right. */
  also?: (tx: Tx) => Promise<void>
}
type Receipt = { duplicate: boolean }

/**
 * Stores an event and applies it in one transaction; a second delivery changes nothing. If applying fails because of a bug, the
 * event is stored anyway, because the processor stops retrying eventually. Another delivery or a replay recovers it.
 */
export const receiveEvent = async (
  deps: ReceiveDeps,
  received: Received,
  events: Pick<EventBatches, 'run' | 'alone'> = createUnbatchedQueue(deps.db, receiveEvents(deps)),
): Promise<Receipt> => {
  const { source, event } = received
  const report = extractReport(source, event)
  try {
    if (!report) return await events.alone(received)
    return await events.run([`${source.home.id} ${event.id}`], received)
  } catch (error) {
    if (isTransientError(error) || isUnavailable(error)) throw error
    deps.log.error({ err: error, eventId: event.id }, 'could not apply processor event')
    const failed: Outcome = { reportId: null, fate: 'waiting', reason: 'not_processed' }
    return inTransaction(deps.db, (tx) => storeOnce(tx, received, async () => failed))
  }
}

/** Applies a batch of events. */
export const receiveEvents =
  (deps: Recorder): Batch<Received, Receipt> =>
  async (tx, received) => {
    const [only] = received
    return only && received.length === 1 ? [await receiveOne(tx, deps, only)] : receiveBatch(tx, deps, received)
  }

const receiveOne = async (tx: Tx, deps: Recorder, received: Received): Promise<Receipt> => {
  const { source, event } = received
  const receipt = await storeOnce(tx, received, () => applyEvent(tx, deps, source, event))
  if (receipt.duplicate) await updateAccountFromDuplicate(tx, source, event)
  return receipt
}

/** For payment reports that have not been stored before. */
const receiveBatch = async (tx: Tx, deps: Recorder, received: Received[]): Promise<InBatch<Receipt>[]> => {
  for (const { also } of received) await also?.(tx)
  const ids = await storeEvents(tx, received.map(toStoredEvent))
  if (ids.includes(null)) return excluding(ids.map((id) => id === null))
  const reports = received.map(({ source, event }) => {
    const report = extractReport(source, event)
    if (!report) throw new Error('only payment reports can be batched')
    return { source, report }
  })
  const outcomes = await applyReports(tx, deps, reports)
  const isExcluded = outcomes.map((outcome) => outcome !== RERUN && (!isResult(outcome) || outcome.reportId === null))
  if (isExcluded.includes(true)) return excluding(isExcluded)
  const linked = received.map(({ source, event, raw }, index) => ({
    ...{ programId: source.home.id, id: ids[index] as number, payload: raw, at: event.receivedAt },
    reportId: (outcomes[index] as { reportId: number }).reportId,
  }))
  await linkAndRedact(tx, linked)
  return received.map(() => NEW)
}

const NEW: Receipt = { duplicate: false }

/** The outcome is unknown or nothing was tried, so the processor must retry. Storing it as failed would return 2xx and end retries. */
const isUnavailable = (error: unknown) => error instanceof Refusal && ['overloaded', 'unavailable'].includes(error.code)

/** Retry after a failure of ours, or if the event first arrived through another account's endpoint. */
const retryableReasons = (source: Source, event: IncomingEvent): EventReason[] =>
  isForeign(source, event) ? ['not_processed'] : ['not_processed', 'foreign_account']

const toStoredEvent = ({ source, event, raw }: Received): StoredEvent => {
  const { id: eventId, object: _, ...envelope } = event
  return { programId: source.home.id, processor: 'stripe', eventId, ...envelope, payload: raw }
}

export const storeOnce = async (tx: Tx, received: Received, apply: () => Promise<Outcome>): Promise<Receipt> => {
  const { source, event, raw, also } = received
  await also?.(tx)
  const programId = source.home.id
  const [storedId] = await storeEvents(tx, [toStoredEvent(received)])
  const retry = { programId, eventId: event.id, reasons: retryableReasons(source, event) }
  const id = storedId ?? (await lockForRetry(tx, retry))
  if (id === null) return { duplicate: true }
  const outcome = await apply()
  const { reportId } = outcome
  if (reportId === null) await storeOutcome(tx, { programId, id, ...outcome })
  else await linkAndRedact(tx, [{ programId, id, reportId, payload: raw, at: event.receivedAt }])
  return NEW
}
