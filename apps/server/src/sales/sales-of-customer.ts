import { type Selectable, sql } from 'kysely'
import type { OfCustomer } from '../customers/customers.ts'
import type { Database } from '../database/connect.ts'
import { columnsOf } from '../database/sql/columns.ts'
import { forOne, inPlace } from '../database/sql/many.ts'
import { firstSoldBefore } from '../database/sql/paid-before.ts'
import type { Sales } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

export type WaitingSale = Pick<
  Selectable<Sales>,
  'id' | 'invoiceId' | 'day' | 'amountCents' | 'currency' | 'soldAt' | 'reason' | 'reportedBy'
>

/** The sales of a customer that arrived before their lead, oldest first and locked, so that no refund meets their credit. */
export const lockAllWaitingSales = async (tx: Database | Tx, keys: { programId: number; customerKey: string }[]) => {
  const column = columnsOf(keys)
  const { rows } = await sql<WaitingSale & { nth: number }>`
    SELECT nth, sale.* FROM unnest(${column('programId', 'integer')},
      ${column('customerKey', 'text')}) WITH ORDINALITY AS asked(program_id, customer_key, nth)
    CROSS JOIN LATERAL (
      SELECT id, invoice_id, day, amount_cents, currency, sold_at, reason, reported_by FROM sales
      WHERE sales.program_id = asked.program_id AND sales.customer_key = asked.customer_key AND sales.click_id IS NULL
        AND sales.voided_at IS NULL
      ORDER BY sold_at, id FOR UPDATE) sale`.execute(tx)
  const byKey = Map.groupBy(rows, ({ nth }) => nth)
  return keys.map((_, place) => (byKey.get(place + 1) ?? []).map(({ nth: _, ...sale }): WaitingSale => sale))
}

export const lockWaitingSales = forOne(lockAllWaitingSales)

export type SaleOfCustomer = OfCustomer & { saleId: number; soldAt: Date }

type Earned = { soldAt: Date; saleId: number }
type Ends = { nth: number; ends: Earned[]; firstSoldBefore: Date | null }

/**
 * When the first sale of a customer was made that earned something, also before they were erased and came again, or null where
 * none was made before this one; and whether one was made after it that has earned already, as the first perhaps.
 */
export const firstSalesBeside = async (tx: Database | Tx, sales: SaleOfCustomer[]) => {
  const column = columnsOf(sales)
  // Of each customer the first two and the last two are read, however many sales of theirs are asked for: one may be the sale itself.
  const { rows } = await sql<Ends>`
    WITH asked AS (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')}, ${column('saleId', 'bigint')})
        WITH ORDINALITY AS this(program_id, click_id, sale_id, nth)),
    customer AS MATERIALIZED (
      SELECT program_id, click_id, (
        SELECT coalesce(jsonb_agg(jsonb_build_object('soldAt', earned.sold_at, 'saleId', earned.id)), '[]') FROM (
          (SELECT sale.sold_at, sale.id ${EARNING} ORDER BY sale.sold_at, sale.id LIMIT 2)
          UNION (SELECT sale.sold_at, sale.id ${EARNING} ORDER BY sale.sold_at DESC, sale.id DESC LIMIT 2)) earned) AS ends
      FROM (SELECT DISTINCT program_id, click_id FROM asked) one)
    SELECT nth, ends, least(${firstSoldBefore('lead')}, ${firstSoldBefore('own')}) AS first_sold_before
    FROM asked this JOIN customer ON customer.program_id = this.program_id AND customer.click_id = this.click_id
    LEFT JOIN leads lead ON lead.program_id = this.program_id AND lead.click_id = this.click_id
    LEFT JOIN sales own ON own.program_id = this.program_id AND own.id = this.sale_id`.execute(tx)
  return inPlace(rows, sales).map((row, place) => besideOf(row, sales[place] as SaleOfCustomer))
}

/** Of the customer that is called `one`: their sales that earned something. */
const EARNING = sql`
  FROM sales sale JOIN commissions commission ON commission.program_id = sale.program_id AND commission.sale_id = sale.id
  WHERE sale.program_id = one.program_id AND sale.click_id = one.click_id AND sale.voided_at IS NULL AND commission.amount_cents > 0`

const besideOf = (row: Omit<Ends, 'nth'> | undefined, { saleId, soldAt }: SaleOfCustomer) => {
  const others = (row?.ends ?? [])
    .map((one) => ({ ...one, soldAt: new Date(one.soldAt) }))
    .filter((one) => one.saleId !== saleId)
  const isBefore = (one: Earned) =>
    one.soldAt.getTime() === soldAt.getTime() ? one.saleId < saleId : one.soldAt < soldAt
  const before = [
    ...others.filter(isBefore).map((one) => one.soldAt),
    ...(row?.firstSoldBefore ? [row.firstSoldBefore] : []),
  ]
  return {
    firstSoldAt: before.length > 0 ? new Date(Math.min(...before.map((moment) => moment.getTime()))) : null,
    hasLater: others.some((one) => !isBefore(one)),
  }
}

export const firstSaleBeside = forOne(firstSalesBeside)

/** All sales of a customer in the order in which they were made, locked. */
export const lockSalesOfCustomer = (tx: Tx, { programId, clickId }: OfCustomer) =>
  tx
    .selectFrom('sales')
    .select(['id', 'amountCents', 'currency', 'soldAt', 'day', 'partnerId'])
    .select(firstSoldBefore('sales').as('firstSoldBefore'))
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .where('voidedAt', 'is', null)
    .orderBy('soldAt')
    .orderBy('id')
    .forUpdate()
    .execute()

/** A sale by the click alone may have come before the lead. */
export const haveCreditedSale = async (tx: Database | Tx, customers: OfCustomer[]) => {
  const column = columnsOf(customers)
  const { rows } = await sql<{ nth: number; isThere: boolean }>`
    SELECT nth, EXISTS (SELECT FROM sales WHERE sales.program_id = customer.program_id AND sales.click_id = customer.click_id
      AND sales.voided_at IS NULL) AS is_there
    FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')})
      WITH ORDINALITY AS customer(program_id, click_id, nth)`.execute(tx)
  return inPlace(rows, customers).map((row) => row?.isThere ?? false)
}

export const hasCreditedSale = forOne(haveCreditedSale)
