import { type PortalExportQuery, toDecimal } from '@tributary/contract'
import type { Cell } from '@tributary/contract/csv'
import type { Database } from '../../database/connect.ts'
import { keysetPages, pages, ROWS } from '../../platform/csv-pages.ts'
import { nextCommissions } from '../commissions/list-commissions.ts'
import { movementCells } from '../ledger/ledger-file.ts'
import { nextLedgerLines } from '../ledger/list-ledger.ts'
import { listPartnerPayouts } from '../payouts/list-partner-payouts.ts'
import { safeEarnings } from './portal-earnings.ts'

type Request = { db: Database; programId: number; partnerId: number; at: Date; filter: PortalExportQuery }
type PortalFile = { columns: string[]; rows: (request: Request) => AsyncGenerator<Cell[][]> }

/** The file of a name such as `earnings.csv`. */
export const findPortalFile = async (_: Database, { id }: { id: string }) => {
  const name = id.replace(/\.csv$/, '')
  const file = id.endsWith('.csv') && Object.hasOwn(FILES, name) ? FILES[name] : undefined
  return file && { name, ...file }
}

const FILES: Record<string, PortalFile> = {
  earnings: {
    columns: [
      ...['id', 'kind', 'amount', 'taken_back', 'currency', 'state', 'earned_at', 'held_until', 'because'],
      ...['in_payout', 'in_dispute', 'paid'],
    ],
    rows: ({ db, programId, filter, ...key }) =>
      keysetPages(
        async (beforeId) => {
          const rows = await nextCommissions(db, { ...filter, ...key, programId, beforeId, limit: ROWS })
          return safeEarnings(db, programId, rows)
        },
        (row) => [
          row.id,
          row.kind,
          toDecimal(row.amountCents, row.currency),
          toDecimal(row.reversedCents, row.currency),
          row.currency,
          row.state,
          row.earnedAt,
          row.payableAt,
          row.because.join(' '),
          row.inPayout,
          toDecimal(row.disputedCents, row.currency),
          toDecimal(row.paidCents, row.currency),
        ],
      ),
  },
  payouts: {
    columns: [
      'payout_id',
      'created_at',
      'amount',
      'currency',
      'status',
      'decided_at',
      'emptied',
      'reference',
      'paid_at',
    ],
    rows: ({ db, programId, partnerId }) =>
      pages(
        (page) => listPartnerPayouts(db, { programId, partnerId, sort: '-createdAt', ...page }),
        (row) => [
          row.payoutId,
          row.createdAt,
          toDecimal(row.amountCents, row.currency),
          row.currency,
          row.status,
          row.decidedAt,
          row.emptied,
          row.reference,
          row.paidAt,
        ],
      ),
  },
  // Every ledger entry of the partner, in order.
  statement: {
    columns: ['id', 'at', 'from', 'to', 'amount', 'currency', 'available_at', 'cause', 'earning_id'],
    rows: ({ db, programId, partnerId }) =>
      keysetPages((lastId) => nextLedgerLines(db, { programId, partnerId, lastId, limit: ROWS }), movementCells),
  },
}
