import type { UncreditedReason } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { namesOf } from '../database/payment-names.ts'
import type { Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

export type Credit = { clickId: string; linkId: number; partnerId: number }

export type NewSale = {
  programId: number
  invoiceId: string
  customerKey: string | null
  amountCents: number
  currency: string
  eventName: string | null
  subscriptionId: string | null
  metadata: Json
  requestHash: Buffer
  soldAt: Date
  day: RawBuilder<string>
  reportedBy: 'merchant' | 'processor'
}

/** Null where the invoice was used before. The unique constraint decides, also between two calls at once. */
export const insertSale = async (tx: Tx, sale: NewSale, credit: Credit | { reason: UncreditedReason }) => {
  const outcome = 'reason' in credit ? credit : { ...credit, creditedAt: sale.soldAt }
  const row = await tx
    .insertInto('sales')
    .values({ ...sale, metadata: sale.metadata === null ? null : JSON.stringify(sale.metadata), ...outcome })
    .onConflict((conflict) => conflict.columns(['programId', 'invoiceId']).doNothing())
    .returning(['id', 'day'])
    .executeTakeFirst()
  return row ?? null
}

const SALE = [
  'id',
  'programId',
  'invoiceId',
  'customerKey',
  'amountCents',
  'currency',
  'subscriptionId',
  'requestHash',
  'soldAt',
  'day',
  'reportedBy',
  'clickId',
  'linkId',
  'partnerId',
  'creditedAt',
  'reason',
] as const

export type Sale = Awaited<ReturnType<typeof findSales>>[number]

type ByName = { programIds: number[]; invoiceIds: string[] }

const salesByName = (db: Database | Tx, { programIds, invoiceIds }: ByName) =>
  db
    .selectFrom('sales')
    .select(SALE)
    .where('programId', 'in', programIds)
    .where('invoiceId', 'in', invoiceIds)
    .where('voidedAt', 'is', null)
    .orderBy('programId')
    .orderBy('id')

/** The sales that have one of these names. Of one payment it is one, until somebody finds out that two payments are one. */
export const findSales = (db: Database | Tx, names: ByName) => salesByName(db, names).execute()

/** The same, locked, so that whatever changes a sale happens one after the other. */
export const lockSales = (tx: Tx, names: ByName) => salesByName(tx, names).forUpdate().execute()

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

export const creditSale = (
  tx: Tx,
  { programId, saleId, ...credit }: Credit & { programId: number; saleId: number; creditedAt: Date },
) =>
  tx
    .updateTable('sales')
    .set({ ...credit, reason: null })
    .where('programId', '=', programId)
    .where('id', '=', saleId)
    .execute()

/** It stays nobody's, for another reason than before. */
export const leaveUncredited = (
  tx: Tx,
  { programId, saleId, reason }: { programId: number; saleId: number; reason: UncreditedReason },
) =>
  tx
    .updateTable('sales')
    .set({ reason })
    .where('programId', '=', programId)
    .where('id', '=', saleId)
    .where('clickId', 'is', null)
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

/** A sale by any name of its payment, locked, so that its refunds and its late credit happen one after the other. */
export const lockSaleByInvoice = async (tx: Tx, name: { programId: number; invoiceId: string }) =>
  // Two sales may have become one while we waited for the one that is gone. A second look sees the other.
  (await lockSaleOnce(tx, name)) ?? (await lockSaleOnce(tx, name))

const lockSaleOnce = (tx: Tx, { programId, invoiceId }: { programId: number; invoiceId: string }) =>
  tx
    .selectFrom('sales')
    .select(SALE)
    .where('programId', '=', programId)
    .where('invoiceId', 'in', namesOf({ programId, invoiceId }))
    .where('voidedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .executeTakeFirst()

type Change = Partial<Pick<Sale, 'invoiceId' | 'customerKey' | 'amountCents' | 'subscriptionId' | 'soldAt' | 'day'>>

export const changeSale = (tx: Tx, { programId, saleId, ...change }: { programId: number; saleId: number } & Change) =>
  tx.updateTable('sales').set(change).where('programId', '=', programId).where('id', '=', saleId).execute()

/** Where the name is free: a sale that was voided may still have it. */
export const renameSale = (
  tx: Tx,
  { programId, saleId, invoiceId }: { programId: number; saleId: number; invoiceId: string },
) =>
  tx
    .updateTable('sales')
    .set({ invoiceId })
    .where('programId', '=', programId)
    .where('id', '=', saleId)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('sales as other')
            .select('other.id')
            .where('other.programId', '=', programId)
            .where('other.invoiceId', '=', invoiceId),
        ),
      ),
    )
    .execute()

type Voiding = { programId: number; saleId: number; invoiceId: string; mergedInto: number | null; at: Date }

/** The sale is part of another one. What was merged into it before is now merged into that, too. */
export const voidSale = async (tx: Tx, { programId, saleId, invoiceId, mergedInto, at }: Voiding) => {
  const ofProgram = tx.updateTable('sales').where('programId', '=', programId)
  await ofProgram.set({ voidedAt: at, mergedInto, invoiceId }).where('id', '=', saleId).execute()
  await ofProgram.set({ mergedInto }).where('mergedInto', '=', saleId).execute()
}

/** A sale by the click alone may have come before the lead. */
export const hasCreditedSale = async (tx: Tx, { programId, clickId }: { programId: number; clickId: string }) =>
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

type Forgetting = { programId: number; customerKey: string | null; clickId: string | null; token: string }

/** Whose sale it was, and what the merchant wrote beside it. Amounts, invoice and credit stay. */
export const forgetBuyer = async (tx: Tx, { programId, customerKey, clickId, token }: Forgetting) => {
  const { numUpdatedRows } = await tx
    .updateTable('sales')
    .set((e) => ({
      customerKey: e.case().when('customerKey', '=', customerKey).then(token).else(e.ref('customerKey')).end(),
      metadata: null,
    }))
    .where('programId', '=', programId)
    .where((e) => e.or([e('customerKey', '=', customerKey), e('clickId', '=', clickId)]))
    .where((e) => e.or([e('customerKey', '=', customerKey), e('metadata', 'is not', null)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
