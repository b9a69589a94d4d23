import { type Selectable, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { isUndone } from '../database/sql/active-void.ts'
import { anyOf, anyOfTexts, columnsOf } from '../database/sql/columns.ts'
import { anyProgramOfWorkspace, anyReferenceOf, referencesOfPayment } from '../database/sql/lookups.ts'
import type { Sales } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import type { SaleItems } from '../money/rewards/rules.ts'

const SALE = [
  'id',
  'programId',
  'invoiceId',
  'customerKey',
  'amountCents',
  'grossCents',
  'items',
  'currency',
  'subscriptionId',
  'requestHash',
  'soldAt',
  'day',
  'reportedBy',
  'clickId',
  'creditSource',
  'linkId',
  'codeId',
  'promotionCode',
  'partnerId',
  'creditedAt',
  'reason',
] as const

type Row = Selectable<Sales>
export type Sale = Pick<Row, Exclude<(typeof SALE)[number], 'items'>> & { items: SaleItems | null }

type SaleReferences = { programIds: number[]; invoiceIds: string[] }

const salesByReference = (db: Database | Tx, { programIds, invoiceIds }: SaleReferences) =>
  db
    .selectFrom('sales')
    .select(SALE)
    .$narrowType<{ items: SaleItems | null }>()
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
    .$narrowType<{ items: SaleItems | null }>()
    .where('programId', '=', anyProgramOfWorkspace(programId))
    .where('invoiceId', '=', anyReferenceOf({ programId, paymentId }))
    .where('voidedAt', 'is', null)
    .orderBy('programId')
    .orderBy('id')
    .execute()

/** Finds the sales with this `invoice_id` in all programs of the workspace. */
export const findSalesOfWorkspace = (tx: Tx, { programId, invoiceId }: SaleReference) =>
  tx
    .selectFrom('sales')
    .select(SALE)
    .$narrowType<{ items: SaleItems | null }>()
    .where('programId', '=', anyProgramOfWorkspace(programId))
    .where('invoiceId', '=', invoiceId)
    .where('voidedAt', 'is', null)
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
    .$narrowType<{ items: SaleItems | null }>()
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
    .$narrowType<{ items: SaleItems | null }>()
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
    .$narrowType<{ items: SaleItems | null }>()
    .where('programId', '=', programId)
    .where('id', '=', saleId)
    .forUpdate()
    .executeTakeFirst()

/** A sale that is not voided, or the most recent credited one. */
export const findSaleToPreview = (tx: Tx, { programId, saleId }: { programId: number; saleId: number | undefined }) =>
  tx
    .selectFrom('sales')
    .select(['id', 'invoiceId', 'clickId', 'partnerId', 'amountCents', 'currency', 'items', 'soldAt'])
    .$narrowType<{ items: SaleItems | null }>()
    .where('programId', '=', programId)
    .where('voidedAt', 'is', null)
    .where((e) => (saleId === undefined ? e('clickId', 'is not', null) : e('id', '=', saleId)))
    .orderBy('soldAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
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

/** SQL fragment: what depends on neither refunds nor commissions, over the aliases `sale` and `manual`. */
export const SALE_COLUMNS = sql`
  sale.id, sale.invoice_id, sale.customer_key, sale.click_id AS customer_id, sale.amount_cents, sale.currency,
  CASE WHEN manual.id IS NULL THEN sale.reason END AS reason, CASE WHEN manual.id IS NULL THEN sale.link_id END AS link_id,
  CASE WHEN manual.id IS NULL THEN sale.code_id END AS code_id, sale.promotion_code,
  CASE WHEN manual.id IS NULL THEN sale.credit_source ELSE 'manual' END AS credited_by,
  coalesce(manual.partner_id, sale.partner_id) AS partner_id, sale.sold_at, coalesce(manual.created_at, sale.credited_at) AS credited_at,
  sale.event_name, sale.subscription_id, manual.id AS adjustment_id,
  CASE WHEN sale.credit_source IS NULL AND manual.id IS NULL THEN 'uncredited' ELSE 'credited' END AS state,
  EXISTS (SELECT FROM disputes dispute
    WHERE dispute.program_id = sale.program_id AND dispute.sale_id = sale.id AND dispute.status = 'open') AS disputed`

/** The last decision of a member about which partner gets the sale, unless it was undone; includes sales merged into it. */
export const MANUAL_CREDIT = sql`LEFT JOIN LATERAL (
    SELECT assigned.id, assigned.type, assigned.partner_id, assigned.created_at FROM adjustments assigned
    WHERE assigned.program_id = sale.program_id AND assigned.type IN ('credit', 'move')
      AND assigned.sale_id IN (SELECT sale.id UNION ALL SELECT merged.id FROM sales merged
        WHERE merged.program_id = sale.program_id AND merged.merged_into = sale.id)
      AND NOT ${isUndone('assigned')}
    ORDER BY assigned.id DESC LIMIT 1) manual ON true`
