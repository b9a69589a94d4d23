import type { UncreditedReason } from '@tributary/contract'
import type { RawBuilder } from 'kysely'
import type { Json } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import type { Sale } from './find-sales.ts'

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
