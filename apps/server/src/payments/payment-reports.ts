import { createHash } from 'node:crypto'
import type { ReasonCode } from '@tributary/contract'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/any-of.ts'
import { columnsOf } from '../database/sql/columns.ts'
import { forOne, forSome, inPlace } from '../database/sql/many.ts'
import type { PaymentReports } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { isErasedKey } from '../erased-key.ts'
import type { HeardReport, PaymentReport } from './payment-report.ts'

/** What became of a report. It may change: what waits is applied by whatever makes it possible. */
export type ReportFate = { fate: 'applied' | 'waiting' | 'ignored' | 'refused'; reason: ReasonCode }
export type KeptReport = ReportFate & { id: number; report: HeardReport }

type Payment = { programId: number; paymentId: number }

/** Until it is judged, which is done by the same transaction. */
const NOT_JUDGED: ReportFate = { fate: 'waiting', reason: 'payment_pending' }

type Keeping = Payment & { report: PaymentReport; receivedAt: Date }

/** Each report is kept once, however often it is told. Answers their numbers. */
export const keepReports = async (tx: Tx, keeping: Keeping[]): Promise<number[]> => {
  const redacted: (number | undefined)[] = []
  for (const one of keeping) redacted.push((await findRedacted(tx, one))?.id)
  const kept = await forSome(
    keeping,
    (_, place) => redacted[place] === undefined,
    (some) => insertReports(tx, some),
  )
  return keeping.map((_, place) => (redacted[place] ?? kept[place]) as number)
}

const insertReports = async (tx: Tx, keeping: Keeping[]): Promise<number[]> => {
  const rows = keeping.map(({ programId, paymentId, report, receivedAt }) => {
    const text = JSON.stringify(report)
    const reportHash = createHash('sha256').update(text).digest()
    return { programId, paymentId, report: text, reportHash, receivedAt, ...NOT_JUDGED }
  })
  const column = columnsOf(rows)
  const { rows: kept } = await sql<{ nth: number; id: number }>`
    WITH told AS (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}, ${column('report', 'jsonb')},
        ${column('reportHash', 'bytea')}, ${column('receivedAt', 'timestamptz')}, ${column('fate', 'text')},
        ${column('reason', 'text')}) WITH ORDINALITY AS told(program_id, payment_id, report, report_hash, received_at, fate, reason, nth)),
    kept AS (
      INSERT INTO payment_reports (program_id, payment_id, report, report_hash, received_at, fate, reason)
      SELECT program_id, payment_id, report, report_hash, received_at, fate, reason FROM told
      ON CONFLICT (program_id, report_hash) DO NOTHING RETURNING program_id, report_hash, id)
    SELECT nth, coalesce(kept.id, known.id) AS id FROM told
    LEFT JOIN kept ON kept.program_id = told.program_id AND kept.report_hash = told.report_hash
    LEFT JOIN payment_reports known ON known.program_id = told.program_id AND known.report_hash = told.report_hash`.execute(
    tx,
  )
  return inPlace(kept, keeping).map((row) => {
    if (!row?.id) throw new Error('a report that was told is kept')
    return row.id
  })
}

/** A message that was redacted since is no longer what was hashed; but it says what the report says, which was redacted too. */
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

type Row = Pick<Selectable<PaymentReports>, 'id' | 'report' | 'fate' | 'reason' | 'receivedAt'>

const asReport = ({ receivedAt: heardAt, ...row }: Row): KeptReport => {
  const report = row.report as unknown as Omit<PaymentReport, 'at'> & { at: string }
  return { ...(row as unknown as KeptReport), report: { ...report, at: new Date(report.at), heardAt } }
}

/** In the order in which they came, which must not matter. */
export const listAllReports = async (db: Database | Tx, payments: Payment[]): Promise<KeptReport[][]> => {
  const column = columnsOf(payments)
  const { rows } = await sql<Row & { nth: number }>`
    SELECT nth, told.id, told.report, told.fate, told.reason, told.received_at
    FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}) WITH ORDINALITY AS asked(program_id, payment_id, nth)
    JOIN payment_reports told ON told.program_id = asked.program_id AND told.payment_id = asked.payment_id
    ORDER BY nth, told.id`.execute(db)
  const byPayment = Map.groupBy(rows, ({ nth }) => nth)
  return payments.map((_, place) => (byPayment.get(place + 1) ?? []).map(({ nth: _, ...row }) => asReport(row)))
}

export const listReports = forOne(listAllReports)

/** Two payments are one: what was said of the one was said of the other. */
export const moveReports = (tx: Tx, { programId, from, to }: { programId: number; from: number; to: number }) =>
  tx
    .updateTable('paymentReports')
    .set({ paymentId: to })
    .where('programId', '=', programId)
    .where('paymentId', '=', from)
    .execute()

type Judged = { programId: number; id: number } & ReportFate

export const changeFates = async (tx: Tx, judged: Judged[]) => {
  if (judged.length === 0) return
  const column = columnsOf(judged)
  await sql`
    UPDATE payment_reports SET fate = judged.fate, reason = judged.reason
    FROM unnest(${column('programId', 'integer')}, ${column('id', 'bigint')}, ${column('fate', 'text')}, ${column('reason', 'text')})
      AS judged(program_id, id, fate, reason)
    WHERE payment_reports.program_id = judged.program_id AND payment_reports.id = judged.id`.execute(tx)
}

type SaleFate = { programId: number; reference: string; before: string; after: ReasonCode }

/**
 * Somebody else has decided whose the sales of payments are: what was told of those payments says so from here on, wherever in the
 * workspace it was heard. Nothing where no processor has spoken of a sale.
 */
export const changeFatesOfSales = async (tx: Tx, fates: SaleFate[]) => {
  if (fates.length === 0) return
  const column = columnsOf(fates)
  await sql`
    UPDATE payment_reports report SET reason = fate.after
    FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}, ${column('before', 'text')},
        ${column('after', 'text')}) AS fate(program_id, reference, before, after),
      payment_references named, programs own, programs beside
    WHERE own.id = fate.program_id AND beside.workspace_id = own.workspace_id
      AND named.program_id = beside.id AND named.reference = fate.reference
      AND report.program_id = named.program_id AND report.payment_id = named.payment_id
      AND report.fate = 'applied' AND report.reason = fate.before`.execute(tx)
}

/** What became of reports by now, and which payment they are about: for whoever keeps the messages that they came in. */
export const findReportFates = async (
  db: Database | Tx,
  { programId, reportIds }: { programId: number; reportIds: number[] },
): Promise<({ reportId: number; paymentId: number } & ReportFate)[]> => {
  if (reportIds.length === 0) return []
  const rows = await db
    .selectFrom('paymentReports')
    .select(['id as reportId', 'paymentId', 'fate', 'reason'])
    .where('programId', '=', programId)
    .where('id', '=', anyOf(reportIds))
    .orderBy('id')
    .execute()
  return rows as ({ reportId: number; paymentId: number } & ReportFate)[]
}
