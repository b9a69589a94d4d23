import { sql } from 'kysely'
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

/** So that two sales at once cannot both be the first. */
const lockCustomer = (tx: Tx, { programId, clickId }: OfCustomer) =>
  tx
    .selectFrom('customers')
    .select('clickId')
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .forNoKeyUpdate()
    .execute()

/**
 * When the first sale of a customer was made that earned something, or null where none was made before this one; and whether
 * one was made after it that has earned already, as the first perhaps.
 */
export const lockFirstSale = async (
  tx: Tx,
  { programId, clickId, saleId, soldAt }: OfCustomer & { saleId: number; soldAt: Date },
) => {
  await lockCustomer(tx, { programId, clickId })
  const { rows } = await sql<{ firstSoldAt: Date | null; hasLater: boolean }>`
    SELECT min(sold_at) FILTER (WHERE is_before) AS first_sold_at, coalesce(bool_or(NOT is_before), false) AS has_later
    FROM (
      SELECT sale.sold_at, (sale.sold_at, sale.id) < (${soldAt}::timestamptz, ${saleId}::bigint) AS is_before
      FROM sales sale JOIN commissions commission ON commission.program_id = sale.program_id AND commission.sale_id = sale.id
      WHERE sale.program_id = ${programId} AND sale.click_id = ${clickId} AND sale.id <> ${saleId}
        AND sale.voided_at IS NULL AND commission.amount_cents > 0) earned`.execute(tx)
  return rows[0] ?? { firstSoldAt: null, hasLater: false }
}

export type CreditedSale = Awaited<ReturnType<typeof lockSalesOfCustomer>>[number]

/** All sales of a customer in the order in which they were made, locked, and the customer with them. */
export const lockSalesOfCustomer = async (tx: Tx, { programId, clickId }: OfCustomer) => {
  await lockCustomer(tx, { programId, clickId })
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
