import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { anyOf } from '../../database/sql/columns.ts'

type Origin = {
  invoiceId: string | null
  customerKey: string | null
  customerId: string | null
  saleAmountCents: number | null
  saleCurrency: string | null
  rateBps: number | null
  reversalReason: string | null
}
type Earned = { id: number; state: string; saleId: number | null; leadId: number | null; termsVersion: number | null }

const NOTHING: Origin = {
  invoiceId: null,
  customerKey: null,
  customerId: null,
  saleAmountCents: null,
  saleCurrency: null,
  rateBps: null,
  reversalReason: null,
}

const known = (values: (number | null)[]) => anyOf([...new Set(values.filter((value) => value !== null))])

/** Adds the customer, the sale and the rate to commissions. Members without access to customers see the amounts only. */
export const withOrigins = async <Row extends Earned>(
  db: Database,
  programId: number,
  rows: Row[],
  { seesCustomers }: { seesCustomers: boolean },
): Promise<(Row & Origin)[]> => {
  const saleIds = known(rows.map(({ saleId }) => saleId))
  const leadIds = known(rows.map(({ leadId }) => leadId))
  const versions = known(rows.map(({ termsVersion }) => termsVersion))
  const [sales, leads, terms, reversals] = await Promise.all([
    found<Omit<Origin, 'rateBps' | 'reversalReason'>>(
      db,
      sql`SELECT id, invoice_id, customer_key, click_id AS customer_id, amount_cents AS sale_amount_cents, currency AS sale_currency
        FROM sales WHERE program_id = ${programId} AND id = ${saleIds}`,
    ),
    found<Pick<Origin, 'customerKey' | 'customerId'>>(
      db,
      sql`SELECT lead.id, customer.customer_key, customer.click_id AS customer_id
        FROM leads lead JOIN customers customer USING (program_id, click_id)
        WHERE lead.program_id = ${programId} AND lead.id = ${leadIds}`,
    ),
    found<{ salePercentBps: number | null }>(
      db,
      sql`SELECT version AS id, sale_percent_bps FROM reward_terms WHERE program_id = ${programId} AND version = ${versions}`,
    ),
    findReversals(db, programId, rows),
  ])
  const hidden = seesCustomers ? {} : { invoiceId: null, customerKey: null, customerId: null }
  return rows.map((row) => {
    const of = sales.get(row.saleId ?? 0) ?? leads.get(row.leadId ?? 0)
    const rateBps = row.saleId === null ? null : (terms.get(row.termsVersion ?? 0)?.salePercentBps ?? null)
    const reversalReason = reversals.get(row.id)?.reason ?? null
    return { ...row, ...NOTHING, ...of, rateBps, reversalReason, ...hidden }
  })
}

/** The last decision that reduced each commission that is at zero: a refund, a dispute or a review. */
const findReversals = (db: Database, programId: number, rows: Earned[]) => {
  const reversed = rows.filter(({ state }) => state === 'reversed')
  if (reversed.length === 0) return new Map<number, { reason: string }>()
  return found<{ reason: string }>(
    db,
    sql`SELECT DISTINCT ON (commission.id) commission.id, decision.reason
      FROM unnest(${reversed.map(({ id }) => id)}::bigint[], ${reversed.map(({ saleId }) => saleId)}::bigint[]) commission(id, sale_id)
      JOIN decisions decision ON decision.program_id = ${programId} AND decision.sale_id = commission.sale_id
        AND (decision.subject IN ('refund', 'dispute') OR (decision.subject = 'review' AND decision.subject_id = commission.id::text))
      WHERE decision.reason <> 'refund_nothing_left'
      ORDER BY commission.id, decision.id DESC`,
  )
}

const found = async <Found>(db: Database, query: RawBuilder<unknown>) => {
  const { rows } = await (query as RawBuilder<Found & { id: number }>).execute(db)
  return new Map(rows.map(({ id, ...row }) => [id, row as unknown as Found]))
}
