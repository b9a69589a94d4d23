import type { EventReason } from '@tributary/contract'
import type { Clock } from '../clock.ts'
import { isBadWeather } from '../database/bad-weather.ts'
import {
  ALONE,
  type Batch,
  type Batches,
  createUnbatchedQueue,
  type Outcome as InBatch,
  isDismissed,
} from '../database/batches.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { applyEvent, applyReports, hearOfAccount, isForeign, reportIn, type Source } from './apply-event.ts'
import { decideEvent, type KeptEvent, keepEvents, lockToTryAgain, nameReports, type Outcome } from './inbox.ts'
import { redactLateEvents } from './redact-late-event.ts'
import type { IncomingEvent } from './translation.ts'

type Telling = { clock: Clock; hashKey: string }
export type EventBatches = Batches<Received, Kept>
export type ReceiveDeps = Telling & { db: Database; log: Log }

export type Received = {
  source: Source
  event: IncomingEvent
  raw: Buffer
  /** Runs in the same transaction; records that the signing secret is right. */
  also?: (tx: Tx) => Promise<void>
}
type Kept = { duplicate: boolean }

/**
 * Stores an event and applies it in one transaction; a second delivery changes nothing. If applying fails because of a bug, the
 * event is stored anyway, because the processor stops retrying eventually. Another delivery or a replay recovers it.
 */
export const receiveEvent = async (
  deps: ReceiveDeps,
  received: Received,
  events: Pick<EventBatches, 'run' | 'alone'> = createUnbatchedQueue(deps.db, receiveEvents(deps)),
): Promise<Kept> => {
  const { source, event } = received
  const report = reportIn(source, event)
  try {
    if (!report) return await events.alone(received)
    return await events.run([`${source.home.id} ${event.id}`], received)
  } catch (error) {
    if (isBadWeather(error) || isNoAnswer(error)) throw error
    deps.log.error({ err: error, eventId: event.id }, 'could not apply processor event')
    const failed: Outcome = { reportId: null, fate: 'waiting', reason: 'not_processed' }
    return inTransaction(deps.db, (tx) => keepOnce(tx, received, async () => failed))
  }
}

/** Applies a batch of events. */
export const receiveEvents =
  (telling: Telling): Batch<Received, Kept> =>
  async (tx, received) => {
    const [only] = received
    return only && received.length === 1
      ? [await receiveAlone(tx, telling, only)]
      : receiveTogether(tx, telling, received)
  }

const receiveAlone = async (tx: Tx, telling: Telling, received: Received): Promise<Kept> => {
  const { source, event } = received
  const kept = await keepOnce(tx, received, () => applyEvent(tx, telling, source, event))
  if (kept.duplicate) await hearOfAccount(tx, source, event)
  return kept
}

/** For payment reports that have not been stored before. */
const receiveTogether = async (tx: Tx, telling: Telling, received: Received[]): Promise<InBatch<Kept>[]> => {
  for (const { also } of received) await also?.(tx)
  const ids = await keepEvents(tx, received.map(keptOf))
  if (ids.includes(null)) return ids.map((id) => (id === null ? ALONE : NEW))
  const reports = received.map(({ source, event }) => {
    const report = reportIn(source, event)
    if (!report) throw new Error('only payment reports can be batched')
    return { source, report }
  })
  const outcomes = await applyReports(tx, telling, reports)
  if (outcomes.some((outcome) => isDismissed(outcome) || outcome.reportId === null))
    return outcomes.map((outcome) => (isDismissed(outcome) || outcome.reportId === null ? ALONE : NEW))
  const named = received.map(({ source, event, raw }, place) => ({
    ...{ programId: source.home.id, id: ids[place] as number, payload: raw, at: event.receivedAt },
    reportId: (outcomes[place] as { reportId: number }).reportId,
  }))
  await nameReports(tx, named)
  await redactLateEvents(tx, named)
  return received.map(() => NEW)
}

const NEW: Kept = { duplicate: false }

/** The outcome is unknown or nothing was tried, so the processor must retry. Storing it as failed would return 2xx and end retries. */
const isNoAnswer = (error: unknown) => error instanceof Refusal && ['overloaded', 'unavailable'].includes(error.code)

/** Retry after a failure of ours, or if the event first arrived through another account's endpoint. */
const reasonsToTryAgain = (source: Source, event: IncomingEvent): EventReason[] =>
  isForeign(source, event) ? ['not_processed'] : ['not_processed', 'foreign_account']

const keptOf = ({ source, event, raw }: Received): KeptEvent => {
  const { id: eventId, object: _, ...envelope } = event
  return { programId: source.home.id, processor: 'stripe', eventId, ...envelope, payload: raw }
}

export const keepOnce = async (tx: Tx, received: Received, apply: () => Promise<Outcome>): Promise<Kept> => {
  const { source, event, raw, also } = received
  await also?.(tx)
  const programId = source.home.id
  const [kept] = await keepEvents(tx, [keptOf(received)])
  const again = { programId, eventId: event.id, reasons: reasonsToTryAgain(source, event) }
  const id = kept ?? (await lockToTryAgain(tx, again))
  if (id === null) return { duplicate: true }
  const outcome = await apply()
  await decideEvent(tx, { programId, id, ...outcome })
  const { reportId } = outcome
  if (reportId !== null) await redactLateEvents(tx, [{ programId, id, reportId, payload: raw, at: event.receivedAt }])
  return NEW
}
