import { toDecimal } from '@tributary/contract'
import type { Database } from '../../../database/connect.ts'
import { readDateRange } from '../../../events/overview/days.ts'
import { groupsAt } from '../../../partners/group-changes.ts'
import { type Cell, type File, ROWS } from '../../../platform/csv-pages.ts'
import { showSales } from '../../../tracking/sales/show-sales.ts'

export const sales: File = {
  permission: 'tracking:list',
  columns: [
    'id',
    'invoice_id',
    'customer_key',
    'amount',
    'refunded',
    'currency',
    'state',
    'reason',
    'partner_id',
    'link_id',
    'sold_at',
    'credited_at',
    'event_name',
    'subscription_id',
    'commission_id',
    'group',
    'credited_by',
    'code_id',
    'promotion_code',
    'seconds_since_click',
    'ad_parameters',
    'from_data_center',
    'same_destination_partner_ids',
  ],
  async *rows({
    db,
    program: { id: programId, timezone },
    query: { partnerId, groupId, evidence, withinSeconds, ...query },
  }) {
    const moments = await readDateRange(db, timezone, query)
    for (let page = 1; ; page++) {
      const filter = {
        programId,
        partnerId,
        evidence,
        withinSeconds,
        sort: 'soldAt' as const,
        ...moments,
        page,
        pageSize: ROWS,
      }
      const { rows } = await showSales(db, filter)
      const grouped = await withGroupAtSale(db, programId, rows)
      yield grouped.filter((row) => groupId === undefined || row.group?.groupId === groupId).map(cells)
      if (rows.length < ROWS) return
    }
  },
}

type Sale = Awaited<ReturnType<typeof showSales>>['rows'][number]
type Group = Awaited<ReturnType<typeof groupsAt>>[number]

/** Null for sales that no partner is credited with. */
const withGroupAtSale = async (db: Database, programId: number, rows: Sale[]) => {
  const all = rows.map(({ partnerId, soldAt }) => ({ partnerId: partnerId ?? 0, earnedAt: soldAt }))
  const groups = all.length > 0 ? await groupsAt(db, { programId, all }) : []
  return rows.map((row, index) => ({ ...row, group: row.partnerId === null ? null : (groups[index] as Group) }))
}

const cells = (row: Sale & { group: Group | null }): Cell[] => [
  row.id,
  row.invoiceId,
  row.customerKey,
  toDecimal(row.amountCents, row.currency),
  toDecimal(row.refundedCents, row.currency),
  row.currency,
  row.state,
  row.reason,
  row.partnerId,
  row.linkId,
  row.soldAt,
  row.creditedAt,
  row.eventName,
  row.subscriptionId,
  row.commissionId,
  row.group?.groupName ?? null,
  row.creditedBy,
  row.codeId,
  row.promotionCode,
  row.evidence.secondsSinceClick,
  row.evidence.adParameters.join(' '),
  row.evidence.fromDataCenter,
  row.evidence.sameDestinationPartnerIds.join(' '),
]
