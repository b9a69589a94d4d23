import { EVENT_TYPES, type ExportFile, type ExportQuery, type Permission } from '@tributary/contract'
import { listCustomers } from '../../customers/list-customers.ts'
import type { Database } from '../../database/connect.ts'
import { momentsOf } from '../../events/days.ts'
import { linksWithFigures, partnersWithFigures } from '../../events/figures.ts'
import { listEvents } from '../../events/list-events.ts'
import { decimal } from '../../money/decimal.ts'
import { nextCommissions } from '../../money/list-commissions.ts'
import { nextLedgerLines } from '../../money/list-ledger.ts'
import { findPayout, listPayouts } from '../../money/list-payouts.ts'
import type { Program } from '../../programs/programs.ts'
import { listSales } from '../../sales/list-sales.ts'
import type { Cell } from './csv.ts'

/** So many rows are in memory at a time, however long the file is. */
const ROWS = 500

type Asked = { db: Database; program: Program; query: ExportQuery; at: Date }
type File = { permission: Permission; columns: string[]; rows: (asked: Asked) => AsyncGenerator<Cell[][]> }

const money = (rows: { currency: string; amountCents: number }[]) =>
  rows.map(({ currency, amountCents }) => `${decimal(amountCents, currency)} ${currency}`).join(' + ')
const text = (value: unknown): Cell =>
  value === undefined || value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Page after page, until one is not full. */
const pages = async function* <Row>(
  read: (page: { page: number; pageSize: number }) => Promise<{ rows: Row[] }>,
  cells: (row: Row) => Cell[],
) {
  for (let page = 1; ; page++) {
    const { rows } = await read({ page, pageSize: ROWS })
    yield rows.map(cells)
    if (rows.length < ROWS) return
  }
}

/** From the last row on: what comes meanwhile moves nothing. */
const onward = async function* <Row extends { id: number }>(
  read: (lastId: number | undefined) => Promise<Row[]>,
  cells: (row: Row) => Cell[],
) {
  let lastId: number | undefined
  for (;;) {
    const rows = await read(lastId)
    yield rows.map(cells)
    if (rows.length < ROWS) return
    lastId = rows.at(-1)?.id
  }
}

const DETAILS = [
  'country',
  'device',
  'browser',
  'operatingSystem',
  'pageUrl',
  'referrerUrl',
  'state',
  'invoiceId',
  'amountCents',
  'currency',
  'reason',
]

async function* events({ db, program, query }: Asked): AsyncGenerator<Cell[][]> {
  for (const eventType of EVENT_TYPES) {
    let cursor: string | undefined
    do {
      const page = await listEvents(db, { program, ...query, eventType, page: 1, pageSize: ROWS, cursor })
      yield page.rows.map(({ details, ...row }) => [
        row.timestamp,
        row.eventType,
        row.id,
        row.test,
        row.clickId,
        row.customerKey,
        row.linkId,
        row.partnerId,
        ...DETAILS.map((name) => text(details[name])),
      ])
      cursor = page.nextCursor ?? undefined
    } while (cursor)
  }
}

async function* payouts({ db, program, query }: Asked): AsyncGenerator<Cell[][]> {
  const every = pages(
    (page) => listPayouts(db, { programId: program.id, ...page }),
    ({ id }) => [id],
  )
  for await (const ids of every)
    for (const [id] of ids) {
      const payout = await findPayout(db, { programId: program.id, id: Number(id) })
      const lines = payout?.lines.filter(
        ({ partnerId }) => query.partnerId === undefined || query.partnerId === partnerId,
      )
      yield (lines ?? []).map((line) => [
        payout?.id,
        payout?.createdAt,
        line.id,
        line.partnerId,
        decimal(line.amountCents, line.currency),
        line.currency,
        line.status,
        line.decidedAt,
      ])
    }
}

/** Each file: who may have it, its columns, and its rows a few hundred at a time. */
export const EXPORTS: Record<ExportFile, File> = {
  events: {
    permission: 'tracking:list',
    columns: [
      'timestamp',
      'event_type',
      'id',
      'test',
      'click_id',
      'customer_key',
      'link_id',
      'partner_id',
      ...DETAILS.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ],
    rows: events,
  },
  customers: {
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
  },
  sales: {
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
      const moments = await momentsOf(db, program.timezone, query)
      yield* pages(
        (page) =>
          listSales(db, { programId: program.id, partnerId: query.partnerId, sort: 'soldAt', ...moments, ...page }),
        (row) => [
          row.id,
          row.invoiceId,
          row.customerKey,
          decimal(row.amountCents, row.currency),
          decimal(row.refundedCents, row.currency),
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
  },
  commissions: {
    permission: 'commission:read',
    columns: [
      'id',
      'kind',
      'partner_id',
      'sale_id',
      'lead_id',
      'amount',
      'reversed',
      'currency',
      'state',
      'earned_at',
      'payable_at',
      'terms_version',
    ],
    rows: ({ db, program, query, at }) =>
      onward(
        (beforeId) =>
          nextCommissions(db, { programId: program.id, partnerId: query.partnerId, at, beforeId, limit: ROWS }),
        (row) => [
          row.id,
          row.kind,
          row.partnerId,
          row.saleId,
          row.leadId,
          decimal(row.amountCents, row.currency),
          decimal(row.reversedCents, row.currency),
          row.currency,
          row.state,
          row.earnedAt,
          row.payableAt,
          row.termsVersion,
        ],
      ),
  },
  ledger: {
    permission: 'commission:read',
    columns: [
      'id',
      'created_at',
      'partner_id',
      'from',
      'to',
      'amount',
      'currency',
      'available_at',
      'cause',
      'commission_id',
      'payout_line_id',
    ],
    rows: ({ db, program, query }) =>
      onward(
        (afterId = 0) =>
          nextLedgerLines(db, { programId: program.id, partnerId: query.partnerId, afterId, limit: ROWS }),
        (row) => [
          row.id,
          row.createdAt,
          row.partnerId,
          row.fromAccount,
          row.toAccount,
          decimal(row.amountCents, row.currency),
          row.currency,
          row.availableAt,
          row.cause,
          row.commissionId,
          row.payoutLineId,
        ],
      ),
  },
  partners: {
    permission: 'tracking:list',
    columns: [
      'id',
      'name',
      'email',
      'code',
      'status',
      'created_at',
      'clicks',
      'leads',
      'sales',
      'revenue',
      'commissions',
    ],
    rows: ({ db, program, query }) =>
      pages(
        (page) => partnersWithFigures(db, { programId: program.id, id: query.partnerId, sort: 'createdAt', ...page }),
        (row) => [
          row.id,
          row.name,
          row.email,
          row.code,
          row.status,
          row.createdAt,
          row.clicks,
          row.leads,
          row.sales,
          money(row.revenue),
          money(row.commissions),
        ],
      ),
  },
  links: {
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
        (page) =>
          linksWithFigures(db, { programId: program.id, partnerId: query.partnerId, sort: 'createdAt', ...page }),
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
  },
  payouts: {
    permission: 'commission:read',
    columns: ['payout_id', 'created_at', 'line_id', 'partner_id', 'amount', 'currency', 'status', 'decided_at'],
    rows: payouts,
  },
}
