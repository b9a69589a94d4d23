import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, anyOfTexts } from '../database/sql/any-of.ts'
import { columnsOf } from '../database/sql/columns.ts'
import { namesOf } from '../database/sql/payment-names.ts'
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

type ByName = { programIds: number[]; invoiceIds: string[] }

const salesByName = (db: Database | Tx, { programIds, invoiceIds }: ByName) =>
  db
    .selectFrom('sales')
    .select(SALE)
    .where('programId', '=', anyOf(programIds))
    .where('invoiceId', '=', anyOfTexts(invoiceIds))
    .where('voidedAt', 'is', null)
    .orderBy('programId')
    .orderBy('id')

/** The sales that have one of these names. Of one payment it is one, until somebody finds out that two payments are one. */
export const findSales = (db: Database | Tx, names: ByName) => salesByName(db, names).execute()

/** The same, locked, so that whatever changes a sale happens one after the other. */
export const lockSales = (tx: Tx, names: ByName) => salesByName(tx, names).forUpdate().execute()

type Name = { programId: number; invoiceId: string }

/** The sales that have one of these names, each name of one program, locked. */
export const lockSalesNamed = (tx: Tx, names: Name[]): Promise<Sale[]> => {
  const column = columnsOf(names)
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
