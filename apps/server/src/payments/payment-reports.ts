import { createHash } from 'node:crypto'
import type { ReasonCode } from '@tributary/contract'
import { type Selectable, sql } from 'kysely'
import { anyOf } from '../database/any-of.ts'
import type { Database } from '../database/connect.ts'
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

/** The report is kept once, however often it is told. */
export const keepReport = async (
  tx: Tx,
  { programId, paymentId, report, receivedAt }: Payment & { report: PaymentReport; receivedAt: Date },
) => {
  const text = JSON.stringify(report)
  const redacted = await findRedacted(tx, { programId, paymentId, report })
  if (redacted) return redacted.id
  const reportHash = createHash('sha256').update(text).digest()
  const inserted = await tx
    .insertInto('paymentReports')
    .values({ programId, paymentId, report: text, reportHash, receivedAt, ...NOT_JUDGED })
    .onConflict((conflict) => conflict.columns(['programId', 'reportHash']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return inserted.id
  const known = await tx
    .selectFrom('paymentReports')
    .select('id')
    .where('programId', '=', programId)
    .where('reportHash', '=', reportHash)
    .executeTakeFirstOrThrow()
  return known.id
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
export const listReports = async (db: Database | Tx, { programId, paymentId }: Payment) => {
  const rows = await db
    .selectFrom('paymentReports')
    .select(['id', 'report', 'fate', 'reason', 'receivedAt'])
    .where('programId', '=', programId)
    .where('paymentId', '=', paymentId)
    .orderBy('id')
    .execute()
  return rows.map(asReport)
}

/** Two payments are one: what was said of the one was said of the other. */
export const moveReports = (tx: Tx, { programId, from, to }: { programId: number; from: number; to: number }) =>
  tx
    .updateTable('paymentReports')
    .set({ paymentId: to })
    .where('programId', '=', programId)
    .where('paymentId', '=', from)
    .execute()

export const changeFate = (tx: Tx, { programId, id, fate, reason }: { programId: number; id: number } & ReportFate) =>
  tx
    .updateTable('paymentReports')
    .set({ fate, reason })
    .where('programId', '=', programId)
    .where('id', '=', id)
    .execute()

type SaleFate = { programId: number; reference: string; before: ReasonCode; after: ReasonCode }

/**
 * Somebody else has decided whose the sale of a payment is: what was told of that payment says so from here on, wherever in the
 * workspace it was heard. Nothing where no processor has spoken of the sale.
 */
export const changeFatesOfSale = async (tx: Tx, { programId, reference, before, after }: SaleFate) => {
  await sql`
    UPDATE payment_reports report SET reason = ${after}
    FROM payment_references named, programs own, programs beside
    WHERE own.id = ${programId} AND beside.workspace_id = own.workspace_id
      AND named.program_id = beside.id AND named.reference = ${reference}
      AND report.program_id = named.program_id AND report.payment_id = named.payment_id
      AND report.fate = 'applied' AND report.reason = ${before}`.execute(tx)
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
