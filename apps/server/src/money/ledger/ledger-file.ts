import { toDecimal } from '@tributary/contract'
import { type Cell, type File, keysetPages, ROWS } from '../../platform/csv-pages.ts'
import { type listLedger, nextLedgerLines } from './list-ledger.ts'

type Line = Awaited<ReturnType<typeof listLedger>>['rows'][number]

/** The columns that every file of ledger entries has. */
export const movementCells = (row: Line): Cell[] => [
  row.id,
  row.createdAt,
  row.fromAccount,
  row.toAccount,
  toDecimal(row.amountCents, row.currency),
  row.currency,
  row.availableAt,
  row.cause,
  row.commissionId,
]

export const ledger: File = {
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
    keysetPages(
      (lastId) => nextLedgerLines(db, { programId: program.id, partnerId: query.partnerId, lastId, limit: ROWS }),
      (row) => {
        const [id, at, ...movement] = movementCells(row)
        return [id, at, row.partnerId, ...movement, row.payoutLineId]
      },
    ),
}
