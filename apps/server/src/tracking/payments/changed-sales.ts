import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { selectRefundedCents } from '../../database/sql/refunded.ts'
import type { Tx } from '../../database/transaction.ts'
import { centsIn, promisedCents } from '../../money/ledger/ledger.ts'

type SaleMoney = {
  programId: number
  saleId: number
  invoiceId: string
  partnerId: number | null
  partnerName: string | null
  reason: string | null
  amountCents: number
  refundedCents: number
  /** The commission on the ledger, and the part of it held for disputes. */
  commissionCents: number
  disputedCents: number
  isVoided: boolean
}
type Change = { before: SaleMoney | null; after: SaleMoney }

/**
 * Compares the sales that a transaction has changed with their committed state, for a preview before commit. `db` must be a
 * connection outside the transaction.
 */
export const findChangedSales = async (
  tx: Tx,
  { db, programIds }: { db: Database; programIds: number[] },
): Promise<Change[]> => {
  const touched = await findTouchedSales(tx, programIds)
  if (touched.length === 0) return []
  const before = await loadMoney(db, touched)
  return (await loadMoney(tx, touched)).flatMap((after) => {
    const previous =
      before.find(({ programId, saleId }) => programId === after.programId && saleId === after.saleId) ?? null
    return JSON.stringify(previous) === JSON.stringify(after) ? [] : [{ before: previous, after }]
  })
}

type SaleKey = { programId: number; saleId: number }

/** `xmin` is the transaction that wrote a row. */
const findTouchedSales = async (tx: Tx, programIds: number[]) => {
  const { rows } = await sql<SaleKey>`
    SELECT program_id, id AS sale_id FROM sales
    WHERE program_id = ANY (${programIds}::integer[]) AND xmin = pg_current_xact_id()::xid
    UNION
    SELECT program_id, sale_id FROM processor_refunds
    WHERE program_id = ANY (${programIds}::integer[]) AND xmin = pg_current_xact_id()::xid
    UNION
    SELECT commission.program_id, commission.sale_id FROM ledger_lines line
    JOIN commissions commission ON commission.program_id = line.program_id AND commission.id = line.commission_id
    WHERE line.program_id = ANY (${programIds}::integer[]) AND line.xmin = pg_current_xact_id()::xid AND sale_id IS NOT NULL
    ORDER BY 1, 2`.execute(tx)
  return rows
}

const loadMoney = async (db: Database | Tx, touched: SaleKey[]) => {
  const [programIds, saleIds] = [touched.map(({ programId }) => programId), touched.map(({ saleId }) => saleId)]
  const { rows } = await sql<SaleMoney>`
    SELECT sale.program_id, sale.id AS sale_id, sale.invoice_id, sale.partner_id, partner.name AS partner_name,
      sale.reason, sale.amount_cents,
      ${selectRefundedCents('sale')} AS refunded_cents, ledger.*, sale.voided_at IS NOT NULL AS is_voided
    FROM unnest(${programIds}::integer[], ${saleIds}::bigint[]) AS touched (program_id, sale_id)
    JOIN sales sale ON sale.program_id = touched.program_id AND sale.id = touched.sale_id
    LEFT JOIN partners partner ON partner.program_id = sale.program_id AND partner.id = sale.partner_id
    CROSS JOIN LATERAL (
      SELECT ${promisedCents} AS commission_cents, ${centsIn('disputed')} AS disputed_cents
      FROM commissions commission
      JOIN ledger_lines line ON line.program_id = commission.program_id AND line.commission_id = commission.id
      WHERE commission.program_id = sale.program_id AND commission.sale_id = sale.id) ledger
    ORDER BY sale.program_id, sale.id`.execute(db)
  return rows
}
