import { listCustomers } from '../../../customers/list-customers.ts'
import { type File, money, pages } from '../../../platform/csv-pages.ts'

export const customers: File = {
  permission: 'tracking:list',
  columns: [
    'customer_key',
    'click_id',
    'email',
    'status',
    'partner_id',
    'link_id',
    'first_clicked_at',
    'last_clicked_at',
    'lead_at',
    'sales',
    'revenue',
  ],
  rows: ({ db, program, query }) =>
    pages(
      (page) =>
        listCustomers(db, { programId: program.id, partnerId: query.partnerId, sort: 'firstClickedAt', ...page }),
      (row) => [
        row.customerKey,
        row.id,
        row.email,
        row.status,
        row.partnerId,
        row.linkId,
        row.firstClickedAt,
        row.lastClickedAt,
        row.leadAt,
        row.sales,
        money(row.revenue),
      ],
    ),
}
