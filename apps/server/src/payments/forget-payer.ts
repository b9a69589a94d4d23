import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { forgetMailboxes } from './processor-customers.ts'

export type Erasure = {
  workspaceId: string
  programId: number
  customerKey: string | null
  clickId: string | null
  token: string
}
export type PaymentId = { programId: number; paymentId: number }

const workspacePrograms = ({ workspaceId }: { workspaceId: string }) =>
  sql`(SELECT id FROM programs WHERE workspace_id = ${workspaceId})`
const namesCustomer = ({
  programId,
  customerKey,
}: Erasure) => sql`report->'attribution'->>'customerKey' = ${customerKey}
  AND report->'attribution'->>'programId' = ${String(programId)}`

/**
 * Lists a customer's payments in all programs of the workspace: those whose reports contain the customer key, and those whose
 * sale belongs to the customer although the processor did not send the key.
 */
export const listPaymentsOfCustomer = async (tx: Tx, customer: Erasure): Promise<PaymentId[]> => {
  const { rows } = await sql<PaymentId>`
    SELECT program_id, payment_id FROM payment_reports WHERE program_id IN ${workspacePrograms(customer)} AND ${namesCustomer(customer)}
    UNION
    SELECT known.program_id, known.payment_id FROM sales
    JOIN payment_references known ON known.reference = sales.invoice_id AND known.program_id IN ${workspacePrograms(customer)}
    WHERE sales.program_id = ${customer.programId} AND (sales.customer_key = ${customer.customerKey} OR sales.click_id = ${customer.clickId})
      AND known.payment_id IS NOT NULL
    ORDER BY program_id, payment_id`.execute(tx)
  return rows
}

/**
 * Replaces the customer key with the token in every report. The report's hash stays, so a redelivered event is still recognized
 * as a duplicate. All reports of one customer get the same token, so a payment still names one customer.
 */
export const forgetPayer = async (tx: Tx, customer: Erasure) => {
  if (customer.customerKey === null) return 0
  const { rows } = await sql`
    SELECT forget_payer(program_id, id, ${customer.token}) FROM payment_reports
    WHERE program_id IN ${workspacePrograms(customer)} AND ${namesCustomer(customer)}`.execute(tx)
  return rows.length
}

/** Does the same for one report that arrives after its customer was erased. */
export const forgetPayerInReport = (tx: Tx, report: { programId: number; reportId: number; token: string }) =>
  sql`SELECT forget_payer(${report.programId}, ${report.reportId}, ${report.token})`.execute(tx)

/** Deletes the hashed addresses of those who made these payments. */
export const forgetPayerAddresses = async (tx: Tx, payments: PaymentId[]) => {
  await forgetMailboxes(tx, payments)
  for (const { programId, paymentId } of payments)
    await sql`SELECT forget_payer_mailbox(${programId}, ${paymentId})`.execute(tx)
}
