import type { EventReason } from '@tributary/contract'
import { sql } from 'kysely'
import type { Recorder } from '../clock.ts'
import { type Batch, type Batches, createUnbatchedQueue, EXCLUDED, type Row } from '../database/batches.ts'
import type { Database } from '../database/connect.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { isTransientError } from '../database/transient-errors.ts'
import { isErasedKey, newErasedKey } from '../erased-key.ts'
import type { Log } from '../log.ts'
import { forgetPayerInReport } from '../payments/forget-payer.ts'
import { Refusal } from '../refusal.ts'
import {
  applyEvent,
  applyReports,
  isForeign,
  readBatchable,
  type Source,
  type SourcedReport,
  updateAccountFromDuplicate,
} from './apply-event.ts'
import {
  linkReports,
  lockForRetry,
  type Outcome,
  redactStoredEvent,
  type StoredEvent,
  storeEvents,
  storeOutcome,
} from './inbox.ts'
import { customerKeyIn } from './personal-data/concerns.ts'
import { parsePayload, redact } from './redact-inbox.ts'
import type { IncomingEvent } from './translation.ts'

export type EventBatches = Batches<Received, Receipt>
export type ReceiveDeps = Recorder & { db: Database; log: Log }

export type Received = {
  source: Source
  event: IncomingEvent
  raw: Buffer
  /** Records in the same transaction that the endpoint works. */
  confirmEndpoint?: (tx: Tx) => Promise<void>
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
  try {
    if (!readBatchable(source, event)) return await events.alone(received)
    return await events.run([`${source.inboxProgram.id} ${event.processor} ${event.scope ?? ''} ${event.id}`], received)
  } catch (error) {
    if (isTransientError(error) || isUnavailable(error)) throw error
    deps.log.error({ err: error, eventId: event.id }, 'could not apply processor event')
    const failed: Outcome = { reportId: null, fate: 'waiting', reason: 'not_processed' }
    return inTransaction(deps.db, (tx) => storeOnce(tx, received, async () => failed))
  }
}

/** Applies a batch of events. Only new events without effects other than one payment report can be part of one. */
export const receiveEvents =
  (deps: Recorder): Batch<Received, Receipt> =>
  async (tx, rows) => {
    const [only] = rows
    if (only && rows.length === 1) only.outcome = { result: await receiveOne(tx, deps, only) }
    else await receiveReports(tx, deps, rows)
  }

const receiveOne = async (tx: Tx, deps: Recorder, received: Received): Promise<Receipt> => {
  const { source, event } = received
  const read = readBatchable(source, event)
  const known = read && 'known' in read ? read.known : null
  const receipt = await storeOnce(tx, received, () => applyEvent(tx, deps, source, event), known)
  if (receipt.duplicate) await updateAccountFromDuplicate(tx, source, event)
  return receipt
}

const receiveReports = async (tx: Tx, deps: Recorder, rows: Row<Received, Receipt>[]) => {
  for (const { confirmEndpoint } of rows) await confirmEndpoint?.(tx)
  const stored = rows.map((row) => {
    const read = readBatchable(row.source, row.event)
    if (!read) throw new Error('this event cannot be batched')
    return { row, read, ...toStoredEvent(row), ...('known' in read && { outcome: read.known }) }
  })
  await storeEvents(tx, stored)
  for (const { row, id } of stored) if (id === null) row.outcome = EXCLUDED
  if (rows.some(({ outcome }) => outcome)) return
  const reports: (SourcedReport & { row: (typeof rows)[number]; id: number | null | undefined })[] = []
  for (const { row, read, id } of stored) {
    if ('report' in read) reports.push({ row, id, source: row.source, event: row.event, report: read.report })
    else row.outcome = { result: NEW }
  }
  if (reports.length === 0) return
  await applyReports(tx, deps, reports)
  const linked = reports.flatMap(({ row, id, applied }) => {
    const { source, event, raw } = row
    const reportId = applied?.reportId ?? null
    if (reportId !== null) row.outcome = { result: NEW }
    else if (applied !== undefined) row.outcome = EXCLUDED
    return !id || reportId === null
      ? []
      : [{ programId: source.inboxProgram.id, id, event, payload: raw, at: event.receivedAt, reportId }]
  })
  if (linked.length === reports.length) await linkAndRedact(tx, linked)
}

const NEW: Receipt = { duplicate: false }

/** The outcome is unknown or nothing was tried, so the processor must retry. Storing it as failed would return 2xx and end retries. */
const isUnavailable = (error: unknown) => error instanceof Refusal && ['overloaded', 'unavailable'].includes(error.code)

/** Retry after a failure of ours, or if the event first arrived through another account's endpoint. */
const retryableReasons = (source: Source, event: IncomingEvent): EventReason[] =>
  isForeign(source, event) ? ['not_processed'] : ['not_processed', 'foreign_account']

const toStoredEvent = ({ source, event, raw }: Received): StoredEvent & { id: number | null } => {
  const { id: eventId, scope = '', object: _, ...envelope } = event
  const { inboxProgram, endpointProgramId } = source
  return { programId: inboxProgram.id, endpointProgramId, eventId, scope, ...envelope, payload: raw, id: null }
}

/** `known`: what `apply` would return, so that a new event needs one statement. */
export const storeOnce = async (
  tx: Tx,
  received: Received,
  apply: () => Promise<Outcome>,
  known: Outcome | null = null,
): Promise<Receipt> => {
  const { source, event, raw, confirmEndpoint } = received
  await confirmEndpoint?.(tx)
  const programId = source.inboxProgram.id
  const stored = { ...toStoredEvent(received), outcome: known }
  await storeEvents(tx, [stored])
  if (known && stored.id) return NEW
  const retry = { programId, event, reasons: retryableReasons(source, event) }
  const id = stored.id ?? (await lockForRetry(tx, retry))
  if (id === null) return { duplicate: true }
  const outcome = await apply()
  const { reportId } = outcome
  if (reportId === null) await storeOutcome(tx, { programId, id, ...outcome })
  else await linkAndRedact(tx, [{ programId, id, event, reportId, payload: raw, at: event.receivedAt }])
  return NEW
}

type Late = { programId: number; id: number; event: IncomingEvent; reportId: number; payload: Buffer; at: Date }
type Report = { customerKey: string | null; namedProgram: number | null }

/** A refund can arrive long after the customer was erased and contain their name and address: redact it on arrival. */
const linkAndRedact = async (tx: Tx, late: Late[]) => {
  for (const one of await linkReports(tx, late)) await redactLateEvent(tx, one)
}

const redactLateEvent = async (tx: Tx, { programId, id, event, reportId, payload, at }: Late) => {
  const reports = await reportsOfSamePayment(tx, { programId, reportId })
  const erased = reports.find(({ customerKey }) => isErasedKey(customerKey))
  const ofProgram = erased?.namedProgram ?? programId
  const token = erased?.customerKey ?? newErasedKey()
  // A payment belongs to one customer, so the customer it names is the erased one.
  const customerKey = erased ? customerKeyIn(parsePayload(payload), ofProgram) : null
  if (customerKey !== null) await forgetPayerInReport(tx, { programId, reportId, token })
  const person = { programId: ofProgram, customerKey, token }
  await redact({ processor: event.processor, payload }, person, (redacted) =>
    redactStoredEvent(tx, { programId, id, payload: redacted, at }),
  )
}

const reportsOfSamePayment = async (tx: Tx, { programId, reportId }: { programId: number; reportId: number }) => {
  const { rows } = await sql<Report>`
    SELECT other.report->'attribution'->>'customerKey' AS customer_key,
      (other.report->'attribution'->>'programId')::integer AS named_program
    FROM payment_reports report
    JOIN payment_reports other ON other.program_id = report.program_id AND other.payment_id = report.payment_id
    WHERE report.program_id = ${programId} AND report.id = ${reportId}`.execute(tx)
  return rows
}
