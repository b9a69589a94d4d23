import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

type Check = { programId: number; found: (difference: string) => void }

/** A payment has at most one sale per workspace, and merged sales point to a sale that is not voided. */
export const verifySalesOfPayments = async (tx: Tx, { programId, found }: Check) => {
  const { rows: duplicates } = await sql<{ paymentId: number; sales: number }>`
    SELECT named.payment_id, count(*) AS sales FROM payment_references named
    JOIN programs own ON own.id = named.program_id
    JOIN programs sibling ON sibling.workspace_id = own.workspace_id
    JOIN sales ON sales.program_id = sibling.id AND sales.invoice_id = named.reference AND sales.voided_at IS NULL
    WHERE named.program_id = ${programId} AND named.payment_id IS NOT NULL
    GROUP BY named.payment_id HAVING count(*) > 1 ORDER BY named.payment_id`.execute(tx)
  for (const { paymentId, sales } of duplicates) found(`payment ${paymentId} has ${sales} sales`)
  const { rows: misdirected } = await sql<{ id: number; mergedInto: number }>`
    SELECT sale.id, sale.merged_into FROM sales sale
    JOIN sales other ON other.program_id = sale.program_id AND other.id = sale.merged_into
    WHERE sale.program_id = ${programId} AND other.voided_at IS NOT NULL ORDER BY sale.id`.execute(tx)
  for (const { id, mergedInto } of misdirected) found(`sale ${id} is merged into sale ${mergedInto}, which is voided`)
}
