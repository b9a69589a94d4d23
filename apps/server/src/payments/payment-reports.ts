import { createHash } from 'node:crypto'
import type { ReasonCode } from '@tributary/contract'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, columnsOf } from '../database/sql/columns.ts'
import type { PaymentReports } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { isErasedKey } from '../erased-key.ts'
import type { PaymentReport, ReceivedReport } from './payment-report.ts'

/**
 * The current decision on a report. A later event can change it, for example from `waiting` to `applied`. The column and the API call
 * the outcome `fate`.
 */
export type ReportDecision = { outcome: 'applied' | 'waiting' | 'ignored' | 'refused'; reason: ReasonCode }
export type StoredReport = ReportDecision & { id: number; report: ReceivedReport }

type Payment = { programId: number; paymentId: number }

/** Placeholder until the same transaction decides on the report. */
const UNDECIDED: ReportDecision = { outcome: 'waiting', reason: 'payment_pending' }

type NewReport = Payment & {
  report: PaymentReport
  receivedAt: Date
  /** Filled in. */
  reportId?: number | undefined
}

/** Stores each distinct report once and fills in the IDs. */
export const storeReports = async (tx: Tx, reports: NewReport[]) => {
  for (const one of reports) one.reportId = (await findRedacted(tx, one))?.id
  const unknown = reports.filter(({ reportId }) => reportId === undefined)
  if (unknown.length > 0) await insertReports(tx, unknown)
}

const insertReports = async (tx: Tx, reports: NewReport[]) => {
  const rows = reports.map(({ programId, paymentId, report, receivedAt }) => {
    // Events that were received before payers were read are the same reports.
    const { payer: _, ...content } = report
    const reportHash = createHash('sha256').update(JSON.stringify(content)).digest()
    const text = JSON.stringify(report)
    return { programId, paymentId, report: text, reportHash, receivedAt, ...UNDECIDED }
  })
  const column = columnsOf(rows)
  const { rows: kept } = await sql<{ position: number; id: number | null }>`
    WITH incoming AS (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}, ${column('report', 'jsonb')},
        ${column('reportHash', 'bytea')}, ${column('receivedAt', 'timestamptz')}, ${column('outcome', 'text')},
        ${column('reason', 'text')}) WITH ORDINALITY AS incoming(program_id, payment_id, report, report_hash, received_at, outcome, reason, position)),
    kept AS (
      INSERT INTO payment_reports (program_id, payment_id, report, report_hash, received_at, fate, reason)
      SELECT program_id, payment_id, report, report_hash, received_at, outcome, reason FROM incoming
      ON CONFLICT (program_id, report_hash) DO NOTHING RETURNING program_id, report_hash, id)
    SELECT position, coalesce(kept.id, known.id) AS id FROM incoming
    LEFT JOIN kept ON kept.program_id = incoming.program_id AND kept.report_hash = incoming.report_hash
    LEFT JOIN payment_reports known ON known.program_id = incoming.program_id AND known.report_hash = incoming.report_hash`.execute(
    tx,
  )
  for (const { position, id } of kept) (reports[position - 1] as NewReport).reportId = id ?? undefined
  if (reports.some(({ reportId }) => reportId === undefined))
    throw new Error('a stored report is missing from the result')
}

/** A redacted event no longer matches the stored hash, but its content equals the report, which was redacted too. */
const findRedacted = async (tx: Tx, { programId, paymentId, report }: Payment & { report: PaymentReport }) =>
  isErasedKey(report.attribution?.customerKey)
    ? await tx
        .selectFrom('paymentReports')
        .select('id')
        .where('programId', '=', programId)
        .where('paymentId', '=', paymentId)
        .where(sql<boolean>`report = ${JSON.stringify(report)}::jsonb`)
        .executeTakeFirst()
    : undefined

type Row = Pick<Selectable<PaymentReports>, 'id' | 'report' | 'reason' | 'receivedAt'> & { outcome: string }

type Nullable<T> = { [Name in keyof T]: T[Name] | null }

const toStoredReport = ({ receivedAt, ...row }: Row): StoredReport => {
  const report = row.report as unknown as Omit<PaymentReport, 'at'> & { at: string }
  return { ...(row as unknown as StoredReport), report: { ...report, at: new Date(report.at), receivedAt } }
}

/** Lists the reports of a payment, in order of arrival. */
export const listReports = async (db: Database | Tx, { programId, paymentId }: Payment): Promise<StoredReport[]> => {
  const payment: Payment & Partial<PaymentRecord> = { programId, paymentId }
  await loadRecords(db, [payment])
  return payment.reports ?? []
}

/** Reports whose metadata states an `invoice_id` of the merchant. */
export const listStatingReports = async (
  tx: Tx,
  { programId, invoiceId }: { programId: number; invoiceId: string },
): Promise<{ paymentId: number; report: PaymentReport }[]> => {
  const rows = await tx
    .selectFrom('paymentReports')
    .select(['paymentId', 'report'])
    .where('programId', '=', programId)
    .where(sql<string>`report->>'invoiceId'`, '=', invoiceId)
    .orderBy('id')
    .execute()
  return rows.map(({ paymentId, report }) => ({ paymentId, report: report as unknown as PaymentReport }))
}

export type PaymentRecord = {
  reports: StoredReport[]
  references: string[]
  /** All programs of the workspace: a processor event may concern a sale in any of them. */
  programIds: number[]
  /** One of these programs has a sale with one of the references. */
  hasSales: boolean
}

/** Fills in the reports of each payment, in order of arrival, with its references and the programs that may have its sale. */
export const loadRecords = async <One extends Payment>(
  db: Database | Tx,
  payments: One[],
): Promise<(One & PaymentRecord)[]> => {
  const column = columnsOf<Payment>(payments)
  const { rows } = await sql<Nullable<Row> & Omit<PaymentRecord, 'reports'> & { position: number }>`
    SELECT position, stored.id, stored.report, stored.fate AS outcome, stored.reason, stored.received_at, names.references, siblings.program_ids,
      EXISTS (SELECT FROM sales WHERE sales.program_id = ANY (siblings.program_ids)
        AND sales.invoice_id = ANY (names.references) AND sales.voided_at IS NULL) AS has_sales
    FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}) WITH ORDINALITY AS input(program_id, payment_id, position)
    CROSS JOIN LATERAL (SELECT ARRAY(
      SELECT known.reference FROM payment_references known
      WHERE known.program_id = input.program_id AND known.payment_id = input.payment_id ORDER BY known.reference) AS references) names
    CROSS JOIN LATERAL (SELECT ARRAY(
      SELECT sibling.id FROM programs program JOIN programs sibling ON sibling.workspace_id = program.workspace_id
      WHERE program.id = input.program_id ORDER BY sibling.id) AS program_ids) siblings
    LEFT JOIN payment_reports stored ON stored.program_id = input.program_id AND stored.payment_id = input.payment_id
    ORDER BY position, stored.id`.execute(db)
  const byPayment = Map.groupBy(rows, ({ position }) => position)
  return payments.map((payment, index) => {
    const found = byPayment.get(index + 1) ?? []
    const { references = [], programIds = [], hasSales = false } = found[0] ?? {}
    const reports = found.flatMap(({ id, report, outcome, reason, receivedAt }) =>
      id === null ? [] : [toStoredReport({ id, report, outcome, reason, receivedAt } as Row)],
    )
    return Object.assign(payment, { reports, references, programIds, hasSales })
  })
}

type DecisionChange = { programId: number; id: number } & ReportDecision

export const changeDecisions = async (tx: Tx, changed: DecisionChange[]) => {
  if (changed.length === 0) return
  const column = columnsOf(changed)
  await sql`
    UPDATE payment_reports SET fate = changed.outcome, reason = changed.reason
    FROM unnest(${column('programId', 'integer')}, ${column('id', 'bigint')}, ${column('outcome', 'text')}, ${column('reason', 'text')})
      AS changed(program_id, id, outcome, reason)
    WHERE payment_reports.program_id = changed.program_id AND payment_reports.id = changed.id`.execute(tx)
}

type ReasonChange = { programId: number; reference: string; before: string; after: ReasonCode }

/**
 * Updates the reason on reports after the credit of their sale changed, in every program of the workspace. Sales without
 * processor reports are skipped.
 */
export const changeReasonsOfSales = async (tx: Tx, changes: ReasonChange[]) => {
  if (changes.length === 0) return
  const column = columnsOf(changes)
  await sql`
    UPDATE payment_reports report SET reason = change.after
    FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}, ${column('before', 'text')},
        ${column('after', 'text')}) AS change(program_id, reference, before, after),
      payment_references known, programs program, programs sibling
    WHERE program.id = change.program_id AND sibling.workspace_id = program.workspace_id
      AND known.program_id = sibling.id AND known.reference = change.reference
      AND report.program_id = known.program_id AND report.payment_id = known.payment_id
      AND report.fate = 'applied' AND report.reason = change.before`.execute(tx)
}

/** Returns the current decision on each report, and its payment. */
export const findReportDecisions = async (
  db: Database | Tx,
  { programId, reportIds }: { programId: number; reportIds: number[] },
): Promise<({ reportId: number; paymentId: number } & ReportDecision)[]> => {
  if (reportIds.length === 0) return []
  const rows = await db
    .selectFrom('paymentReports')
    .select(['id as reportId', 'paymentId', 'fate as outcome', 'reason'])
    .where('programId', '=', programId)
    .where('id', '=', anyOf(reportIds))
    .orderBy('id')
    .execute()
  return rows as ({ reportId: number; paymentId: number } & ReportDecision)[]
}
