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
}
type Earned = { saleId: number | null; leadId: number | null; termsVersion: number | null }

const NOTHING: Origin = {
  invoiceId: null,
  customerKey: null,
  customerId: null,
  saleAmountCents: null,
  saleCurrency: null,
  rateBps: null,
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
  const [sales, leads, terms] = await Promise.all([
    found<Omit<Origin, 'rateBps'>>(
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
  ])
  const hidden = seesCustomers ? {} : { invoiceId: null, customerKey: null, customerId: null }
  return rows.map((row) => {
    const of = sales.get(row.saleId ?? 0) ?? leads.get(row.leadId ?? 0)
    const rateBps = row.saleId === null ? null : (terms.get(row.termsVersion ?? 0)?.salePercentBps ?? null)
    return { ...row, ...NOTHING, ...of, rateBps, ...hidden }
  })
}

const found = async <Found>(db: Database, query: RawBuilder<unknown>) => {
  const { rows } = await (query as RawBuilder<Found & { id: number }>).execute(db)
  return new Map(rows.map(({ id, ...row }) => [id, row as unknown as Found]))
}
