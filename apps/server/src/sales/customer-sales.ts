import { type Selectable, sql } from 'kysely'
import type { CustomerId } from '../customers/customers.ts'
import type { Database } from '../database/connect.ts'
import { columnsOf } from '../database/sql/columns.ts'
import { forOne } from '../database/sql/many.ts'
import { firstSoldBefore } from '../database/sql/paid-before.ts'
import type { Sales } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import type { SaleItems } from '../money/rewards/rules.ts'

export type WaitingSale = Pick<
  Selectable<Sales>,
  'id' | 'invoiceId' | 'day' | 'amountCents' | 'currency' | 'soldAt' | 'reason' | 'reportedBy'
> & { items: SaleItems | null }

type NamedByKey = { programId: number; customerKey: string; waiting?: WaitingSale[] | undefined }

/**
 * Fills in and locks the sales that arrived before their customer's lead, oldest first. The lock keeps refunds out while they are
 * credited.
 */
export const lockAllWaitingSales = async (tx: Database | Tx, keys: NamedByKey[]) => {
  if (keys.length === 0) return
  const column = columnsOf(keys)
  const { rows } = await sql<WaitingSale & { position: number }>`
    SELECT position, sale.* FROM unnest(${column('programId', 'integer')},
      ${column('customerKey', 'text')}) WITH ORDINALITY AS input(program_id, customer_key, position)
    CROSS JOIN LATERAL (
      SELECT id, invoice_id, day, amount_cents, items, currency, sold_at, reason, reported_by FROM sales
      WHERE sales.program_id = input.program_id AND sales.customer_key = input.customer_key AND sales.credit_source IS NULL
        AND sales.voided_at IS NULL
      ORDER BY sold_at, id FOR UPDATE) sale`.execute(tx)
  for (const key of keys) key.waiting = []
  for (const { position, ...sale } of rows) keys[position - 1]?.waiting?.push(sale)
}

export const lockWaitingSales = async (tx: Tx, key: NamedByKey): Promise<WaitingSale[]> => {
  const named = { ...key }
  await lockAllWaitingSales(tx, [named])
  return named.waiting ?? []
}

/**
 * When the customer's first earning sale and their first sale were made; null if none precedes this sale. `hasLater`: a later sale
 * exists that this one can change.
 */
export type FirstSale = { firstSoldAt: Date | null; firstEverAt: Date | null; hasLater: boolean }
/** `isByRules`: the first sale counts even if it earned nothing. */
type CustomerSale = CustomerId & { saleId: number; soldAt: Date; isByRules?: boolean; first?: FirstSale | undefined }

type EarningSale = { soldAt: Date; saleId: number }
type Ends = { position: number; ends: EarningSale[]; everything: EarningSale[]; firstSoldBefore: Date | null }

/**
 * Fills in for each sale: when the customer's first earning sale was made, including sales before the customer was erased (null if none
 * precedes this sale), and whether a later sale has already earned, possibly as the first.
 */
export const findFirstSales = async (tx: Database | Tx, sales: CustomerSale[]) => {
  if (sales.length === 0) return
  const column = columnsOf(sales)
  // Reads two sales at each end of the customer's history, because one of them may be the sale itself.
  const { rows } = await sql<Ends>`
    WITH input AS (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')}, ${column('saleId', 'bigint')})
        WITH ORDINALITY AS this(program_id, click_id, sale_id, position)),
    customer AS MATERIALIZED (
      SELECT program_id, click_id, (
        SELECT coalesce(jsonb_agg(jsonb_build_object('soldAt', earned.sold_at, 'saleId', earned.id)), '[]') FROM (
          (SELECT sale.sold_at, sale.id ${EARNING} ORDER BY sale.sold_at, sale.id LIMIT 2)
          UNION (SELECT sale.sold_at, sale.id ${EARNING} ORDER BY sale.sold_at DESC, sale.id DESC LIMIT 2)) earned) AS ends,
        ${sales.some(({ isByRules }) => isByRules) ? endsOfAll : sql`'[]'::jsonb`} AS everything
      FROM (SELECT DISTINCT program_id, click_id FROM input) one)
    SELECT position, ends, everything, least(${firstSoldBefore('lead')}, ${firstSoldBefore('own')}) AS first_sold_before
    FROM input this JOIN customer ON customer.program_id = this.program_id AND customer.click_id = this.click_id
    LEFT JOIN leads lead ON lead.program_id = this.program_id AND lead.click_id = this.click_id
    LEFT JOIN sales own ON own.program_id = this.program_id AND own.id = this.sale_id`.execute(tx)
  const found = new Map(rows.map((row) => [sales[row.position - 1], row]))
  for (const sale of sales) sale.first = compareToOthers(found.get(sale), sale)
}

/** Sales of customer `one` that earned a commission. */
const EARNING = sql`
  FROM sales sale JOIN commissions commission ON commission.program_id = sale.program_id AND commission.sale_id = sale.id
  WHERE sale.program_id = one.program_id AND sale.click_id = one.click_id AND sale.voided_at IS NULL AND commission.amount_cents > 0`

/** The same for all sales of customer `one`. */
const endsOfAll = sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('soldAt', made.sold_at, 'saleId', made.id)), '[]') FROM (
    (SELECT sale.sold_at, sale.id FROM sales sale WHERE sale.program_id = one.program_id AND sale.click_id = one.click_id
      AND sale.voided_at IS NULL ORDER BY sale.sold_at, sale.id LIMIT 2)
    UNION (SELECT sale.sold_at, sale.id FROM sales sale WHERE sale.program_id = one.program_id AND sale.click_id = one.click_id
      AND sale.voided_at IS NULL ORDER BY sale.sold_at DESC, sale.id DESC LIMIT 2)) made)`

const compareToOthers = (row: Ends | undefined, { saleId, soldAt }: CustomerSale): FirstSale => {
  const othersOf = (sales: EarningSale[] = []) =>
    sales.map((one) => ({ ...one, soldAt: new Date(one.soldAt) })).filter((one) => one.saleId !== saleId)
  const isBefore = (one: EarningSale) =>
    one.soldAt.getTime() === soldAt.getTime() ? one.saleId < saleId : one.soldAt < soldAt
  const firstOf = (sales: EarningSale[]) =>
    earliest([
      ...sales.filter(isBefore).map((one) => one.soldAt),
      ...(row?.firstSoldBefore ? [row.firstSoldBefore] : []),
    ])
  const [earning, everything] = [othersOf(row?.ends), othersOf(row?.everything)]
  return {
    firstSoldAt: firstOf(earning),
    firstEverAt: firstOf(everything),
    // Another sale of the same batch is not later.
    hasLater: earning.some((one) => !isBefore(one)) || everything.some((one) => one.soldAt > soldAt),
  }
}

const earliest = (moments: Date[]) =>
  moments.length > 0 ? new Date(Math.min(...moments.map((moment) => moment.getTime()))) : null

export const findFirstSale = forOne(findFirstSales, 'first')

/** Locks all sales of a customer, oldest first. */
export const lockCustomerSales = (tx: Tx, { programId, clickId }: CustomerId) =>
  tx
    .selectFrom('sales')
    .select(['id', 'amountCents', 'items', 'currency', 'soldAt', 'day', 'partnerId'])
    .$narrowType<{ items: SaleItems | null }>()
    .select(firstSoldBefore('sales').as('firstSoldBefore'))
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .where('voidedAt', 'is', null)
    .orderBy('soldAt')
    .orderBy('id')
    .forUpdate()
    .execute()

type Named = CustomerId & { customerKey: string | null }

/** Locks the sales that were credited to the customer's record or named their key, which can be credited by another click. */
export const lockSalesNaming = async (tx: Tx, { programId, clickId, customerKey }: Named) => {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM sales WHERE program_id = ${programId} AND (click_id = ${clickId} OR customer_key = ${customerKey})
    ORDER BY sold_at, id FOR UPDATE`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A sale with only a click ID can be credited before the lead. */
export const hasCreditedSale = async (tx: Tx, { programId, clickId }: CustomerId) => {
  const { rows } = await sql`
    SELECT FROM sales WHERE sales.program_id = ${programId} AND sales.click_id = ${clickId} AND sales.voided_at IS NULL
    LIMIT 1`.execute(tx)
  return rows.length > 0
}
