import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'

export type Forgetting = {
  workspaceId: string
  programId: number
  customerKey: string | null
  clickId: string | null
  token: string
}
export type PaymentOf = { programId: number; paymentId: number }

const ofWorkspace = ({ workspaceId }: { workspaceId: string }) =>
  sql`(SELECT id FROM programs WHERE workspace_id = ${workspaceId})`
const isNamed = ({ programId, customerKey }: Forgetting) => sql`report->'attribution'->>'customerKey' = ${customerKey}
  AND report->'attribution'->>'programId' = ${String(programId)}`

/**
 * The payments of a customer, under whichever program of the workspace they were heard of: those that name the key, and those
 * whose sale is the customer's although the processor did not know it.
 */
export const paymentsOfCustomer = async (tx: Tx, who: Forgetting): Promise<PaymentOf[]> => {
  const { rows } = await sql<PaymentOf>`
    SELECT program_id, payment_id FROM payment_reports WHERE program_id IN ${ofWorkspace(who)} AND ${isNamed(who)}
    UNION
    SELECT named.program_id, named.payment_id FROM sales
    JOIN payment_references named ON named.reference = sales.invoice_id AND named.program_id IN ${ofWorkspace(who)}
    WHERE sales.program_id = ${who.programId} AND (sales.customer_key = ${who.customerKey} OR sales.click_id = ${who.clickId})
      AND named.payment_id IS NOT NULL
    ORDER BY program_id, payment_id`.execute(tx)
  return rows
}

/**
 * In every report that names the key, the token. The hash of what was said stays, so that the same words told again are the
 * same report. All reports of one customer get one token: what they come to is the same payment of the same customer.
 */
export const forgetPayer = async (tx: Tx, who: Forgetting) => {
  if (who.customerKey === null) return 0
  const { rows } = await sql`
    SELECT forget_payer(program_id, id, ${who.token}) FROM payment_reports
    WHERE program_id IN ${ofWorkspace(who)} AND ${isNamed(who)}`.execute(tx)
  return rows.length
}

/** The same for one report of a payment whose customer was erased before it came. */
export const forgetPayerIn = (tx: Tx, report: { programId: number; reportId: number; token: string }) =>
  sql`SELECT forget_payer(${report.programId}, ${report.reportId}, ${report.token})`.execute(tx)
