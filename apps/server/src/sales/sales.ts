import type { Database } from '../database/connect.ts'
import type { Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

export type Credit = { clickId: string; linkId: number; partnerId: number }
export type UncreditedReason = 'customer_unknown' | 'click_not_found' | 'click_expired'

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
  day: string
}

/** Null where the invoice was used before. The unique constraint decides, also between two calls at once. */
export const insertSale = async (tx: Tx, sale: NewSale, credit: Credit | { reason: UncreditedReason }) => {
  const outcome = 'reason' in credit ? credit : { ...credit, creditedAt: sale.soldAt }
  const row = await tx
    .insertInto('sales')
    .values({ ...sale, metadata: sale.metadata === null ? null : JSON.stringify(sale.metadata), ...outcome })
    .onConflict((conflict) => conflict.columns(['programId', 'invoiceId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export const findSaleByInvoice = (
  db: Database | Tx,
  { programId, invoiceId }: { programId: number; invoiceId: string },
) =>
  db
    .selectFrom('sales')
    .select(['id', 'requestHash'])
    .where('programId', '=', programId)
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst()

export type WaitingSale = Awaited<ReturnType<typeof lockWaitingSales>>[number]

/** The sales of a customer that arrived before their lead, oldest first and locked, so that no refund meets their credit. */
export const lockWaitingSales = (tx: Tx, { programId, customerKey }: { programId: number; customerKey: string }) =>
  tx
    .selectFrom('sales')
    .select(['id', 'day', 'amountCents', 'currency', 'soldAt'])
    .where('programId', '=', programId)
    .where('customerKey', '=', customerKey)
    .where('clickId', 'is', null)
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

/**
 * When the first credited sale of a customer was made, or null where there is none but this one. The customer is locked, so
 * that two sales at once cannot both be the first.
 */
export const lockFirstSale = async (
  tx: Tx,
  { programId, clickId, saleId }: { programId: number; clickId: string; saleId: number },
) => {
  await tx
    .selectFrom('customers')
    .select('clickId')
    .where('programId', '=', programId)
    .where('clickId', '=', clickId)
    .forNoKeyUpdate()
    .execute()
  const first = await tx
    .selectFrom('sales')
    .innerJoin('commissions', (join) =>
      join.onRef('commissions.programId', '=', 'sales.programId').onRef('commissions.saleId', '=', 'sales.id'),
    )
    .select('sales.soldAt')
    .where('sales.programId', '=', programId)
    .where('sales.clickId', '=', clickId)
    .where('sales.id', '<>', saleId)
    .orderBy('commissions.id')
    .limit(1)
    .executeTakeFirst()
  return first?.soldAt ?? null
}

/** A sale, locked, so that its refunds and its late credit happen one after the other. */
export const lockSaleByInvoice = (tx: Tx, { programId, invoiceId }: { programId: number; invoiceId: string }) =>
  tx
    .selectFrom('sales')
    .select(['id', 'amountCents', 'currency', 'clickId', 'partnerId'])
    .where('programId', '=', programId)
    .where('invoiceId', '=', invoiceId)
    .forUpdate()
    .executeTakeFirst()

/** A sale by the click alone may have come before the lead. */
export const hasCreditedSale = async (tx: Tx, { programId, clickId }: { programId: number; clickId: string }) =>
  Boolean(
    await tx
      .selectFrom('sales')
      .select('id')
      .where('programId', '=', programId)
      .where('clickId', '=', clickId)
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
