import type { CustomerRow, CustomersQuery, Nameless } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { customersWith, type SearchTerm } from '../database/sql/search.ts'
import { orderBy, sortField } from '../database/sql/sorting.ts'
import { readHashed } from '../database/transaction.ts'

type Row = Omit<Nameless<CustomerRow>, 'firstClickedAt' | 'lastClickedAt' | 'leadAt'> & {
  firstClickedAt: Date
  lastClickedAt: Date
  leadAt: Date | null
}
type Filters = Omit<CustomersQuery, 'status' | 'search'> & {
  programId: number
  status?: CustomersQuery['status']
  search?: SearchTerm | undefined
}

const COLUMNS = sql`
  customer.click_id AS id, customer_key, email_masked AS email, customer_status AS status, customer.credit_source AS credited_by, customer.link_id,
  customer.code_id, (SELECT code.code FROM promotion_codes code WHERE code.program_id = customer.program_id AND code.id = customer.code_id) AS code, customer.partner_id,
  first_clicked_at, last_clicked_at, lead.id AS lead_id, lead.created_at AS lead_at, coalesce(sold.sales, 0) AS sales, coalesce(sold.revenue, '[]') AS revenue`

const JOINS = sql`
  LEFT JOIN LATERAL (
    SELECT * FROM leads WHERE program_id = customer.program_id AND click_id = customer.click_id LIMIT 1) lead ON true
  LEFT JOIN LATERAL (
    SELECT sum(sales)::bigint AS sales, jsonb_agg(jsonb_build_object('currency', currency, 'amountCents', cents) ORDER BY currency) AS revenue
    FROM (
      SELECT sale.currency, count(*) AS sales, sum(sale.amount_cents)::bigint AS cents FROM sales sale
      WHERE sale.program_id = customer.program_id AND sale.click_id = customer.click_id AND sale.voided_at IS NULL
      GROUP BY sale.currency) one) sold ON true`

const ORDERS = {
  firstClickedAt: 'program_id',
  leadAt: 'leads.created_at',
  sales: 'coalesce(bought.sales, 0)',
  revenue: 'coalesce(bought.cents, 0)',
}

/** Sales of every customer, needed only to sort by them. Revenue is compared in the program's currency. */
const bought = (programId: number) => sql`
  LEFT JOIN (
    SELECT click_id, count(*) AS sales, sum(amount_cents) FILTER (WHERE currency = (SELECT currency FROM programs WHERE id = ${programId})) AS cents
    FROM sales WHERE program_id = ${programId} AND credit_source IS NOT NULL AND voided_at IS NULL GROUP BY click_id) bought USING (click_id)`

/**
 * Lists customers with a settled lead, read from `leads` because only that table has an index for it. Click IDs start with the
 * time of the first click, so sorting by the primary key sorts by time.
 */
export const listCustomers = async (db: Database, { programId, ...query }: Filters) => {
  const { status, partnerId, search, sort, page, pageSize } = query
  const isByFigure = ['sales', 'revenue'].includes(sortField(sort))
  const joined = status ? sql`JOIN customers USING (program_id, click_id)` : sql``
  const filter = sql`WHERE program_id = ${programId} AND settled_at IS NOT NULL
    ${status ? sql`AND customer_status = ${status}` : sql``} ${partnerId ? sql`AND leads.partner_id = ${partnerId}` : sql``}
    ${search ? sql`AND click_id IN ${customersWith(programId, search)}` : sql``}`
  const order = orderBy(sort, ORDERS, 'click_id')
  const shown = sql<Row & { place: number }>`SELECT ${COLUMNS}, place FROM (
      SELECT program_id, click_id, row_number() OVER (${order}) AS place
      FROM leads ${joined} ${isByFigure ? bought(programId) : sql``} ${filter}
      ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) shown
    CROSS JOIN LATERAL (
      SELECT * FROM customers WHERE program_id = shown.program_id AND click_id = shown.click_id LIMIT 1) customer ${JOINS}
    ORDER BY place`
  const [list, count] = await Promise.all([
    readHashed(db, shown, { isLong: isByFigure }),
    readHashed(db, sql<{ total: number }>`SELECT count(*) AS total FROM leads ${joined} ${filter}`),
  ])
  return { rows: list.map(({ place: _, ...row }): Row => row), total: count[0]?.total ?? 0 }
}

/** Finds one record by click ID, including visitors without a lead. */
export const findCustomer = async (db: Database, { programId, id }: { programId: number; id: string }) => {
  const { rows } = await sql<Row>`
    SELECT ${COLUMNS} FROM (SELECT * FROM customers WHERE program_id = ${programId} AND click_id = ${id}) customer ${JOINS}`.execute(
    db,
  )
  return rows[0] ?? null
}
