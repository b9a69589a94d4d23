import { partnersWithFigures } from '../../../events/overview/figures.ts'
import { type File, money, pages } from '../../../platform/csv-pages.ts'

export const partners: File = {
  permission: 'tracking:list',
  columns: [
    'id',
    'name',
    'email',
    'code',
    'status',
    'archived',
    'created_at',
    'clicks',
    'leads',
    'sales',
    'revenue',
    'commissions',
    'group',
  ],
  rows: ({ db, program, query }) =>
    pages(
      (page) =>
        partnersWithFigures(db, {
          ...{ programId: program.id, id: query.partnerId, groupId: query.groupId },
          ...{ sort: 'createdAt', ...page },
        }),
      (row) => [
        row.id,
        row.name,
        row.email,
        row.code,
        row.status,
        row.archived,
        row.createdAt,
        row.clicks,
        row.leads,
        row.sales,
        money(row.revenue),
        money(row.commissions),
        row.groupName,
      ],
    ),
}
