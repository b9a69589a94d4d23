import { toDecimal } from '@tributary/contract'
import { readDateRange } from '../../../events/overview/days.ts'
import { showSales } from '../../../tracking/sales/show-sales.ts'
import { type File, pages } from './file.ts'

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
  ],
  async *rows({ db, program, query }) {
    const moments = await readDateRange(db, program.timezone, query)
    yield* pages(
      (page) =>
        showSales(db, { programId: program.id, partnerId: query.partnerId, sort: 'soldAt', ...moments, ...page }),
      (row) => [
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
      ],
    )
  },
}
