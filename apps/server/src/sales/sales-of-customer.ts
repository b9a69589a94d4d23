import { sql } from 'kysely'
import { gathered, inPlace, onlyOneWith } from '../database/side-by-side.ts'
import type { Tx } from '../database/transaction.ts'

export type WaitingSale = Awaited<ReturnType<typeof lockWaitingSales>>[number]

/** The sales of a customer that arrived before their lead, oldest first and locked, so that no refund meets their credit. */
export const lockWaitingSales = (tx: Tx, { programId, customerKey }: { programId: number; customerKey: string }) =>
  tx
    .selectFrom('sales')
    .select(['id', 'invoiceId', 'day', 'amountCents', 'currency', 'soldAt', 'reason', 'reportedBy'])
    .where('programId', '=', programId)
    .where('customerKey', '=', customerKey)
    .where('clickId', 'is', null)
    .where('voidedAt', 'is', null)
    .orderBy('soldAt')
    .orderBy('id')
    .forUpdate()
    .execute()

type OfCustomer = { programId: number; clickId: string }

/** So that two sales at once cannot both be the first. In one order for all. */
const lockCustomers = gathered(async (tx, customers: OfCustomer[]) => {
  const sorted = customers.toSorted((a, b) => a.programId - b.programId || (a.clickId < b.clickId ? -1 : 1))
  await sql`
    SELECT FROM unnest(${sorted.map(({ programId }) => programId)}::integer[], ${sorted.map(({ clickId }) => clickId)}::text[])
      AS asked(program_id, click_id)
    CROSS JOIN LATERAL (
      SELECT FROM customers WHERE customers.program_id = asked.program_id AND customers.click_id = asked.click_id
      FOR NO KEY UPDATE) locked`.execute(tx)
  return customers
})

type NewSale = OfCustomer & { saleId: number; soldAt: Date }

/**
 * When the first sale of a customer was made that earned something, or null where none was made before this one; and whether
 * one was made after it that has earned already, as the first perhaps.
 */
export const lockFirstSale = async (tx: Tx, sale: NewSale) => {
  onlyOneWith(tx, `customer ${sale.clickId}`)
  await lockCustomers(tx, sale)
  return (await firstSale(tx, sale)) ?? { firstSoldAt: null, hasLater: false }
}

const firstSale = gathered(async (tx, sales: NewSale[]) => {
  const { rows } = await sql<{ nth: number; firstSoldAt: Date | null; hasLater: boolean }>`
    SELECT nth, earned.* FROM unnest(${sales.map(({ programId }) => programId)}::integer[],
      ${sales.map(({ clickId }) => clickId)}::text[], ${sales.map(({ saleId }) => saleId)}::bigint[],
      ${sales.map(({ soldAt }) => soldAt)}::timestamptz[]) WITH ORDINALITY AS this(program_id, click_id, sale_id, sold_at, nth)
    CROSS JOIN LATERAL (
      SELECT min(sold_at) FILTER (WHERE is_before) AS first_sold_at, coalesce(bool_or(NOT is_before), false) AS has_later
      FROM (
        SELECT sale.sold_at, (sale.sold_at, sale.id) < (this.sold_at, this.sale_id) AS is_before
        FROM sales sale JOIN commissions commission ON commission.program_id = sale.program_id AND commission.sale_id = sale.id
        WHERE sale.program_id = this.program_id AND sale.click_id = this.click_id AND sale.id <> this.sale_id
          AND sale.voided_at IS NULL AND commission.amount_cents > 0) other) earned`.execute(tx)
  return inPlace(rows, sales)
})

export type CreditedSale = Awaited<ReturnType<typeof lockSalesOfCustomer>>[number]

/** All sales of a customer in the order in which they were made, locked, and the customer with them. */
export const lockSalesOfCustomer = async (tx: Tx, { programId, clickId }: OfCustomer) => {
  await lockCustomers(tx, { programId, clickId })
  return tx
    .selectFrom('sales')
    .select(['id', 'amountCents', 'currency', 'soldAt', 'partnerId', 'creditedAt'])
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .where('voidedAt', 'is', null)
    .orderBy('soldAt')
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** A sale by the click alone may have come before the lead. */
export const hasCreditedSale = async (tx: Tx, { programId, clickId }: OfCustomer) =>
  Boolean(
    await tx
      .selectFrom('sales')
      .select('id')
      .where('programId', '=', programId)
      .where('clickId', '=', clickId)
      .where('voidedAt', 'is', null)
      .limit(1)
      .executeTakeFirst(),
  )
