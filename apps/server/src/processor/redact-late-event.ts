import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { isErasedKey, newErasedKey } from '../erased-key.ts'
import { forgetPayerInReport } from '../payments/forget-payer.ts'
import { linkReports, redactStoredEvent } from './inbox.ts'
import { parsePayload, redact } from './redact-inbox.ts'
import { customerKeyIn } from './stripe/personal-data/concerns.ts'

type Late = { programId: number; id: number; reportId: number; payload: Buffer; at: Date }
type Report = { customerKey: string | null; namedProgram: number | null }

/** A refund can arrive long after the customer was erased and contain their name and address: redact it on arrival. */
export const linkAndRedact = async (tx: Tx, late: Late[]) => {
  for (const one of await linkReports(tx, late)) await redactLateEvent(tx, one)
}

const redactLateEvent = async (tx: Tx, { programId, id, reportId, payload, at }: Late) => {
  const reports = await reportsOfSamePayment(tx, { programId, reportId })
  const erased = reports.find(({ customerKey }) => isErasedKey(customerKey))
  const ofProgram = erased?.namedProgram ?? programId
  const token = erased?.customerKey ?? newErasedKey()
  // A payment belongs to one customer, so the customer it names is the erased one.
  const customerKey = erased ? customerKeyIn(parsePayload(payload), ofProgram) : null
  if (customerKey !== null) await forgetPayerInReport(tx, { programId, reportId, token })
  const person = { programId: ofProgram, customerKey, token }
  await redact({ payload }, person, (redacted) => redactStoredEvent(tx, { programId, id, payload: redacted, at }))
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
