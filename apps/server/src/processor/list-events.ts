import { EVENT_REASONS, type EventOutcome, type ProcessorEvent, REASONS } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/sql/pages.ts'
import { directionOf } from '../database/sql/sorting.ts'
import type { Program } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { findSalesOfPayment } from '../sales/find-sales.ts'
import { findInboxProgramId } from './inbox-programs.ts'
import { hidePersonalData } from './personal-data/hide-personal-data.ts'
import { readStoredEvent, translate } from './translate-event.ts'

/** The workspace shares one inbox: an event received through another program may concern this one. */
const NO_PROGRAM = 0

const SENTENCES: Record<string, string> = { ...REASONS, ...EVENT_REASONS }

/** Stored events with their result. Where an event has a payment report, the report's current outcome counts. */
export const eventsOf = (db: Database, inboxProgramId: number | null) =>
  db
    .selectFrom('processorEvents')
    .leftJoin('paymentReports', (join) =>
      join
        .onRef('paymentReports.programId', '=', 'processorEvents.programId')
        .onRef('paymentReports.id', '=', 'processorEvents.reportId'),
    )
    .where('processorEvents.programId', '=', inboxProgramId ?? NO_PROGRAM)

const OUTCOME = sql<EventOutcome>`coalesce(payment_reports.fate, processor_events.fate)`
const REASON = sql<string>`coalesce(payment_reports.reason, processor_events.reason)`
const REFERENCES = sql<string[] | null>`payment_reports.report->'references'`
/** For lists: only when no report has the references, and never large payloads. */
const SMALL_PAYLOAD = sql<Uint8Array | null>`CASE WHEN report_id IS NULL AND octet_length(payload) <= 65536 THEN payload END`

const COLUMNS = [
  'processorEvents.programId as inboxProgramId',
  'processorEvents.id as rowId',
  'processorEvents.processor',
  'processorEvents.scope',
  'processorEvents.endpointProgramId',
  'processorEvents.eventId',
  'processorEvents.type',
  'processorEvents.livemode',
  'processorEvents.createdAt',
  'processorEvents.receivedAt',
  'processorEvents.redactedAt',
  'processorEvents.accountId',
  'processorEvents.apiVersion',
  'paymentReports.paymentId',
] as const

const selectEvents = (db: Database, inboxProgramId: number | null) =>
  eventsOf(db, inboxProgramId)
    .select(COLUMNS)
    .select([OUTCOME.as('fate'), REASON.as('reason'), REFERENCES.as('references'), SMALL_PAYLOAD.as('short')])

type Row = Awaited<ReturnType<ReturnType<typeof selectEvents>['executeTakeFirstOrThrow']>>

type Query = { program: Program; fate?: EventOutcome; type?: string; reason?: string; sort: string } & Page

export const listProcessorEvents = async (db: Database, { program, fate, type, reason, sort, ...page }: Query) => {
  const inboxProgramId = await findInboxProgramId(db, program.workspaceId)
  const { rows, total } = await pageOf(
    selectEvents(db, inboxProgramId)
      .$if(fate !== undefined, (query) => query.where(OUTCOME, '=', fate as EventOutcome))
      .$if(type !== undefined, (query) => query.where('processorEvents.type', '=', type as string))
      .$if(reason !== undefined, (query) => query.where(REASON, '=', reason as string))
      // In order of arrival: a clock that runs ahead must not keep an event at the top.
      .orderBy('processorEvents.id', directionOf(sort)),
    page,
  )
  const sales = await salesOfRows(db, rows)
  return { rows: rows.map((row) => toProcessorEvent(row, sales)), total }
}

type EventLookup = {
  program: Program
  eventId: string
  processor?: string | undefined
  scope?: string | undefined
  isRedacted: boolean
}

/** One event with its payload, redacted for readers who may not see personal data. */
export const findEvent = async (db: Database, { program, eventId, processor, scope, isRedacted }: EventLookup) => {
  const [row, other] = await selectEvents(db, await findInboxProgramId(db, program.workspaceId))
    .select('processorEvents.payload')
    .where('processorEvents.eventId', '=', eventId)
    .$if(processor !== undefined, (query) => query.where('processorEvents.processor', '=', processor as string))
    .$if(scope !== undefined, (query) => query.where('processorEvents.scope', '=', scope as string))
    .limit(2)
    .execute()
  if (!row) return null
  if (other)
    throw new Refusal('conflict', 'Several events have this ID. Add `processor` and `scope` of the one you mean.')
  const raw: unknown = JSON.parse(textOf(row.payload))
  const answer = toProcessorEvent(row, await salesOfRows(db, [row]))
  return { ...answer, raw: isRedacted ? hidePersonalData(raw) : raw, isRedacted }
}

const textOf = (payload: Uint8Array) => Buffer.from(payload).toString('utf8')

type Sales = Map<number | null, { id: number; programId: number } | undefined>

/** Sequential, so that one page of events does not use all connections. */
const salesOfRows = async (db: Database, rows: Pick<Row, 'inboxProgramId' | 'paymentId'>[]): Promise<Sales> => {
  const sales: Sales = new Map()
  for (const { inboxProgramId, paymentId } of rows)
    if (paymentId !== null && !sales.has(paymentId))
      sales.set(paymentId, (await findSalesOfPayment(db, { programId: inboxProgramId, paymentId }))[0])
  return sales
}

const toProcessorEvent = (row: Row, sales: Sales): ProcessorEvent => {
  const sale = sales.get(row.paymentId)
  return {
    id: row.eventId,
    processor: row.processor,
    scope: row.scope,
    type: row.type,
    test: !row.livemode,
    createdAt: row.createdAt.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    redactedAt: row.redactedAt?.toISOString() ?? null,
    accountId: row.accountId,
    apiVersion: row.apiVersion,
    fate: row.fate,
    reason: row.reason,
    sentence: SENTENCES[row.reason] ?? row.reason,
    references: referencesIn(row),
    programId: sale?.programId ?? null,
    saleId: sale?.id ?? null,
  }
}

const referencesIn = ({ references, short, endpointProgramId, ...row }: Row) => {
  if (references) return references
  const event = short && readStoredEvent({ ...row, payload: short })
  const translation = event && translate(event, endpointProgramId)
  return translation && 'report' in translation ? translation.report.references : []
}
