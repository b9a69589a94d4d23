import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, anyOfTexts, columnsOf } from '../database/sql/columns.ts'
import { anyProgramOfWorkspace, anyReferenceOf, referencesOfPayment } from '../database/sql/lookups.ts'
import type { Tx } from '../database/transaction.ts'

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

type SaleReferences = { programIds: number[]; invoiceIds: string[] }

const salesByReference = (db: Database | Tx, { programIds, invoiceIds }: SaleReferences) =>
  db
    .selectFrom('sales')
    .select(SALE)
    .where('programId', '=', anyOf(programIds))
    .where('invoiceId', '=', anyOfTexts(invoiceIds))
    .where('voidedAt', 'is', null)
    .orderBy('programId')
    .orderBy('id')

/** Finds the sales with one of these references. A payment has one sale, unless two payments turn out to be the same. */
export const findSales = (db: Database | Tx, references: SaleReferences) => salesByReference(db, references).execute()

/** Finds the sales of a payment in all programs of the workspace. */
export const findSalesOfPayment = (
  db: Database | Tx,
  { programId, paymentId }: { programId: number; paymentId: number },
) =>
  db
    .selectFrom('sales')
    .select(SALE)
    .where('programId', '=', anyProgramOfWorkspace(programId))
    .where('invoiceId', '=', anyReferenceOf({ programId, paymentId }))
    .where('voidedAt', 'is', null)
    .orderBy('programId')
    .orderBy('id')
    .execute()

/** Like `findSales`, with locks that serialize changes to a sale. */
export const lockSales = (tx: Tx, references: SaleReferences) => salesByReference(tx, references).forUpdate().execute()

type SaleReference = { programId: number; invoiceId: string }

/** Like `lockSales`, with a separate program for each reference. */
export const lockSalesByReference = (tx: Tx, references: SaleReference[]): Promise<Sale[]> => {
  const column = columnsOf(references)
  return tx
    .selectFrom('sales')
    .select(SALE)
    .where(
      sql<boolean>`(program_id, invoice_id) IN (SELECT * FROM unnest(${column('programId', 'integer')}, ${column('invoiceId', 'text')}))`,
    )
    .where('voidedAt', 'is', null)
    .orderBy('programId')
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Locks a sale by any reference of its payment. The lock serializes its refunds and its late credit. */
export const lockSaleByInvoice = async (tx: Tx, reference: SaleReference) =>
  // The sale may have been merged while we waited for its lock. The second attempt finds the remaining sale.
  (await lockSaleOnce(tx, reference)) ?? (await lockSaleOnce(tx, reference))

const lockSaleOnce = (tx: Tx, { programId, invoiceId }: SaleReference) =>
  tx
    .selectFrom('sales')
    .select(SALE)
    .where('programId', '=', programId)
    .where('invoiceId', 'in', referencesOfPayment({ programId, invoiceId }))
    .where('voidedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .executeTakeFirst()

/** Locks a sale by its ID, even a voided one. */
export const lockSaleById = (tx: Tx, { programId, saleId }: { programId: number; saleId: number }) =>
  tx
    .selectFrom('sales')
    .select([...SALE, 'voidedAt', 'mergedInto'])
    .where('programId', '=', programId)
    .where('id', '=', saleId)
    .forUpdate()
    .executeTakeFirst()

/** Voided sales that still have this invoice ID, because the merchant reported them under it. */
export const findMergedSales = (tx: Tx, { programId, invoiceId }: { programId: number; invoiceId: string }) =>
  tx
    .selectFrom('sales')
    .select(['id', 'programId', 'invoiceId'])
    .where('programId', '=', programId)
    .where('invoiceId', '=', invoiceId)
    .where('voidedAt', 'is not', null)
    .execute()
