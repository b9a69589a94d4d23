import { listCustomers } from '../../../customers/list-customers.ts'
import { linksWithFigures, partnersWithFigures } from '../../../events/overview/figures.ts'
import { codesWithFigures } from '../../../partners/promotion-codes.ts'
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
    'credited_by',
    'code',
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
        row.creditedBy,
        row.code,
      ],
    ),
}

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
          programId: program.id,
          id: query.partnerId,
          groupId: query.groupId,
          sort: 'createdAt',
          ...page,
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

export const codes: File = {
  permission: 'tracking:list',
  columns: [
    'id',
    'code',
    'partner_id',
    'partner',
    'active',
    'requested',
    'processor',
    'external_id',
    'created_at',
    'uses',
    'revenue',
    'commissions',
  ],
  rows: ({ db, program, query }) =>
    pages(
      (page) => codesWithFigures(db, { programId: program.id, partnerId: query.partnerId, sort: 'createdAt', ...page }),
      (row) => [
        row.id,
        row.code,
        row.partnerId,
        row.partnerName,
        row.active,
        row.requested,
        row.processor,
        row.externalId,
        row.createdAt,
        row.uses,
        money(row.revenue),
        money(row.commissions),
      ],
    ),
}
