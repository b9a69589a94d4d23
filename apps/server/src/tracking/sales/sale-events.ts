import type { PublishedEventData, PublishedEventType } from '@tributary/contract'
import { sql } from 'kysely'
import { selectRefundedCents } from '../../database/sql/refunded.ts'
import type { Tx } from '../../database/transaction.ts'
import { watchCommissions } from '../../money/commissions/commission-events.ts'
import { type Watched, watch } from '../../outbox/watch.ts'
import { MANUAL_CREDIT, SALE_COLUMNS } from '../../sales/list-sales.ts'

type Data = PublishedEventData['sale.created']
type Row = Omit<Data, 'soldAt' | 'creditedAt' | 'voidedAt'> & {
  soldAt: Date
  creditedAt: Date | null
  voidedAt: Date | null
}

export const SALES: Watched<'sale.created'> = {
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
}

const toData = (row: Row): Data => {
  const { id, invoiceId, customerKey, customerId, amountCents, refundedCents, currency, state, reason } = row
  const { linkId, partnerId, soldAt, creditedAt, eventName, subscriptionId, disputed, adjustmentId } = row
  return {
    ...{
      id,
      invoiceId,
      customerKey,
      customerId,
      amountCents,
      refundedCents,
      currency,
      state,
      reason,
      linkId,
      partnerId,
    },
    ...{ soldAt: soldAt.toISOString(), creditedAt: creditedAt?.toISOString() ?? null, eventName, subscriptionId },
    ...{ disputed, adjustmentId, voidedAt: row.voidedAt?.toISOString() ?? null, mergedInto: row.mergedInto },
  }
}

type Scope = { programId: number; ids: number[]; at: Date }

/** Publishes what this transaction changes about the sales and those merged into them. The caller holds the locks on the sales. */
export const watchSales = (tx: Tx, scope: Scope) => watch(tx, SALES, scope)

/** The same for sales that may be merged, which also decides about their commissions. */
export const watchSalesOfPayment = async (tx: Tx, sales: { programId: number; id: number }[], at: Date) => {
  for (const [programId, own] of Map.groupBy(sales, (sale) => sale.programId)) {
    const ids = own.map(({ id }) => id)
    await watchSales(tx, { programId, ids, at })
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM commissions WHERE program_id = ${programId} AND sale_id = ANY (${ids}::bigint[])`.execute(tx)
    if (rows.length > 0) await watchCommissions(tx, { programId, ids: rows.map(({ id }) => id), at })
  }
}
