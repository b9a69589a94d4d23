import type { PublishedEventData, PublishedEventType } from '@tributary/contract'
import { sql } from 'kysely'
import { selectRefundedCents } from '../database/sql/refunded.ts'
import type { Tx, Writer } from '../database/transaction.ts'
import { insertEvents, isoTime } from '../outbox/events.ts'
import { changing, definePublished } from '../outbox/publish-changes.ts'
import { MANUAL_CREDIT, SALE_COLUMNS } from './find-sales.ts'

type Data = PublishedEventData['sale.created']
type Row = Omit<Data, 'soldAt' | 'creditedAt' | 'voidedAt'> & {
  soldAt: Date
  creditedAt: Date | null
  voidedAt: Date | null
}

export const SALES = definePublished<'sale.created'>({
  name: 'sale',
  rank: 3,
  read: async (tx, programId, ids) => {
    const { rows } = await sql<Row>`
      SELECT ${SALE_COLUMNS}, coalesce(${selectRefundedCents('sale')}, 0) AS refunded_cents, sale.voided_at, sale.merged_into
      FROM (SELECT * FROM sales WHERE program_id = ${programId} AND (
        id = ANY (${ids}::bigint[]) OR merged_into = ANY (${ids}::bigint[]))) sale ${MANUAL_CREDIT}`.execute(tx)
    return rows.map(toData)
  },
  typesOf: (before, after, changed) => {
    if (changed.has('voidedAt')) return ['sale.voided']
    const types: PublishedEventType[] = []
    if (changed.has('refundedCents') && after.refundedCents > (before?.refundedCents ?? 0)) {
      types.push('sale.refunded')
      changed.delete('refundedCents')
    }
    if (changed.has('disputed') && after.disputed) {
      types.push('sale.disputed')
      changed.delete('disputed')
    }
    return changed.size > 0 ? [...types, 'sale.updated'] : types
  },
})

const toData = (row: Row): Data => {
  const { id, invoiceId, customerKey, customerId, amountCents, refundedCents, currency, state, reason } = row
  const {
    creditedBy,
    linkId,
    codeId,
    promotionCode,
    partnerId,
    soldAt,
    creditedAt,
    eventName,
    subscriptionId,
    disputed,
    adjustmentId,
  } = row
  return {
    id,
    invoiceId,
    customerKey,
    customerId,
    amountCents,
    refundedCents,
    currency,
    state,
    reason,
    creditedBy,
    linkId,
    codeId,
    promotionCode,
    partnerId,
    soldAt: soldAt.toISOString(),
    creditedAt: creditedAt?.toISOString() ?? null,
    eventName,
    subscriptionId,
    disputed,
    adjustmentId,
    voidedAt: row.voidedAt?.toISOString() ?? null,
    mergedInto: row.mergedInto,
  }
}

/** Part of a statement: publishes the rows of `written`. */
export const publishCreated = (at: Date) =>
  insertEvents(sql`
  SELECT program_id, 'sale.created', ${at}::timestamptz, json_build_object(
    'id', id, 'invoiceId', invoice_id, 'customerKey', customer_key, 'customerId', click_id, 'amountCents', amount_cents,
    'refundedCents', 0, 'currency', currency, 'state', CASE WHEN credit_source IS NULL THEN 'uncredited' ELSE 'credited' END,
    'reason', reason, 'creditedBy', credit_source, 'linkId', link_id, 'codeId', code_id, 'promotionCode', promotion_code,
    'partnerId', partner_id, 'soldAt', ${isoTime(sql`sold_at`)},
    'creditedAt', ${isoTime(sql`credited_at`)}, 'eventName', event_name, 'subscriptionId', subscription_id,
    'disputed', false, 'adjustmentId', NULL, 'voidedAt', NULL, 'mergedInto', NULL), NULL::json, NULL::json, customer_key
  FROM written ORDER BY id`)

/**
 * For merging one sale into another: a void or a manual credit of one of them then applies to the other, which changes
 * commissions too.
 */
export const changingMerged = async (
  tx: Tx,
  { programId, ids, at }: { programId: number; ids: number[]; at: Date },
): Promise<Writer> => {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM commissions WHERE program_id = ${programId} AND sale_id = ANY (${ids}::bigint[])
    UNION
    SELECT credited.id FROM adjustments assigned
    JOIN commissions credited ON credited.program_id = assigned.program_id AND credited.adjustment_id = assigned.id
    WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move') AND assigned.sale_id IN (
      SELECT id FROM sales
      WHERE program_id = ${programId} AND (id = ANY (${ids}::bigint[]) OR merged_into = ANY (${ids}::bigint[])))`.execute(
    tx,
  )
  await changing(tx, 'commission', { programId, ids: rows.map(({ id }) => id), at })
  return changing(tx, 'sale', { programId, ids, at })
}
