import { EVENT_TYPES } from '@tributary/contract'
import { readEventPage } from '../../../events/list-events.ts'
import { type Cell, type ExportRequest, type File, ROWS } from '../../../platform/csv-pages.ts'

const text = (value: unknown): Cell =>
  value === undefined || value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

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

async function* rowsOf({ db, program, query }: ExportRequest): AsyncGenerator<Cell[][]> {
  for (const eventType of EVENT_TYPES) {
    let cursor: string | undefined
    do {
      const page = await readEventPage(db, program, { ...query, eventType, page: 1, pageSize: ROWS, cursor })
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

export const events: File = {
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
  rows: rowsOf,
}
