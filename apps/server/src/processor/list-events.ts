import { EVENT_REASONS, type EventFate, type ProcessorEvent, REASONS } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/pages.ts'
import type { Program } from '../programs/programs.ts'
import { salesOfPayment } from '../tracking/sales-of-payment.ts'
import { findHomeId } from './homes.ts'
import { readEvent } from './stripe/read-event.ts'
import { translate } from './stripe/translate.ts'

/** The workspace has one inbox: an event that came in through another of its programs may be about this one. */
const NO_HOME = 0

const SENTENCES: Record<string, string> = { ...REASONS, ...EVENT_REASONS }

/** Kept events with what became of them: the fate of a report is the report's own, as it stands now. */
export const eventsOf = (db: Database, homeId: number | null) =>
  db
    .selectFrom('processorEvents')
    .leftJoin('paymentReports', (join) =>
      join
        .onRef('paymentReports.programId', '=', 'processorEvents.programId')
        .onRef('paymentReports.id', '=', 'processorEvents.reportId'),
    )
    .where('processorEvents.programId', '=', homeId ?? NO_HOME)

const FATE = sql<EventFate>`coalesce(payment_reports.fate, processor_events.fate)`
const REASON = sql<string>`coalesce(payment_reports.reason, processor_events.reason)`

const COLUMNS = [
  'processorEvents.programId as homeId',
  'processorEvents.id as rowId',
  'processorEvents.eventId',
  'processorEvents.type',
  'processorEvents.livemode',
  'processorEvents.createdAt',
  'processorEvents.receivedAt',
  'processorEvents.accountId',
  'processorEvents.apiVersion',
  'processorEvents.payload',
  'paymentReports.paymentId',
] as const

const selected = (db: Database, homeId: number | null) =>
  eventsOf(db, homeId)
    .select(COLUMNS)
    .select([FATE.as('fate'), REASON.as('reason')])

type Row = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>

type Query = { program: Program; fate?: EventFate; type?: string } & Page

export const listProcessorEvents = async (db: Database, { program, fate, type, ...page }: Query) => {
  const homeId = await findHomeId(db, program.workspaceId)
  const { rows, total } = await pageOf(
    selected(db, homeId)
      .$if(fate !== undefined, (query) => query.where(FATE, '=', fate as EventFate))
      .$if(type !== undefined, (query) => query.where('processorEvents.type', '=', type as string))
      .orderBy('processorEvents.createdAt', 'desc')
      .orderBy('processorEvents.id', 'desc'),
    page,
  )
  return { rows: await Promise.all(rows.map((row) => answerOf(db, row))), total }
}

export const findEvent = async (db: Database, { program, eventId }: { program: Program; eventId: string }) => {
  const row = await selected(db, await findHomeId(db, program.workspaceId))
    .where('processorEvents.eventId', '=', eventId)
    .executeTakeFirst()
  return row && { ...(await answerOf(db, row)), raw: JSON.parse(textOf(row)) as unknown }
}

const textOf = ({ payload }: Pick<Row, 'payload'>) => Buffer.from(payload).toString('utf8')

const answerOf = async (db: Database, row: Row): Promise<ProcessorEvent> => {
  const { homeId, paymentId } = row
  const sales = paymentId === null ? [] : await salesOfPayment(db, { programId: homeId, paymentId })
  const [sale] = sales
  return {
    id: row.eventId,
    type: row.type,
    test: !row.livemode,
    createdAt: row.createdAt.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
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

const referencesIn = (row: Row) => {
  const event = readEvent(textOf(row), row.receivedAt)
  const said = event && translate(event)
  return said && 'report' in said ? said.report.references : []
}
