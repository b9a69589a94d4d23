import { sql } from 'kysely'
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

export type CreditedSale = {
  id: number
  linkId: number
  partnerId: number
  day: string
  amountCents: number
  currency: string
  soldAt: Date
}

type Waiting = {
  programId: number
  customerKey: string
  /** The customer who is credited, and the record whose clicks are looked at: the same but for a second customer. */
  clickId: string
  clicksOf: string
  firstClickWins: boolean
  at: Date
}

/**
 * Credits the sales that arrived before their lead. Each goes to the click that would have won at the time of the sale;
 * a sale that was made before the first click stays as it is.
 */
export const creditWaitingSales = async (
  tx: Tx,
  { programId, customerKey, clickId, clicksOf, firstClickWins, at }: Waiting,
) => {
  const order = sql.raw(firstClickWins ? 'ASC' : 'DESC')
  const { rows } = await sql<CreditedSale>`
    UPDATE sales SET click_id = ${clickId}, link_id = won.link_id, partner_id = won.partner_id, credited_at = ${at}, reason = NULL
    FROM (
      SELECT waiting.id, click.link_id, click.partner_id
      FROM sales waiting
      CROSS JOIN LATERAL (
        SELECT link_id, partner_id FROM click_events
        WHERE program_id = waiting.program_id AND click_id = ${clicksOf} AND clicked_at <= waiting.sold_at
          AND device IS DISTINCT FROM 'bot'
        ORDER BY clicked_at ${order} LIMIT 1) click
      WHERE waiting.program_id = ${programId} AND waiting.customer_key = ${customerKey} AND waiting.click_id IS NULL
    ) won
    WHERE sales.program_id = ${programId} AND sales.id = won.id
    RETURNING sales.id, sales.link_id, sales.partner_id, sales.day, sales.amount_cents, sales.currency, sales.sold_at`.execute(
    tx,
  )
  return rows.toSorted((a, b) => a.soldAt.getTime() - b.soldAt.getTime() || a.id - b.id)
}

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
