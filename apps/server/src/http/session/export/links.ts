import { linksWithFigures } from '../../../events/overview/figures.ts'
import { type File, money, pages } from '../../../platform/csv-pages.ts'

export const links: File = {
  permission: 'tracking:list',
  columns: [
    'id',
    'aff',
    'partner_id',
    'partner',
    'destination_url',
    'active',
    'created_at',
    'last_clicked',
    'clicks',
    'leads',
    'sales',
    'revenue',
    'commissions',
  ],
  rows: ({ db, program, query }) =>
    pages(
      (page) => linksWithFigures(db, { programId: program.id, partnerId: query.partnerId, sort: 'createdAt', ...page }),
      (row) => [
        row.id,
        row.aff,
        row.partnerId,
        row.partnerName,
        row.destinationUrl,
        row.active,
        row.createdAt,
        row.lastClicked,
        row.clicks,
        row.leads,
        row.sales,
        money(row.revenue),
        money(row.commissions),
      ],
    ),
}
