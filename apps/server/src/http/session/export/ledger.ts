import { decimal } from '../../../money/decimal.ts'
import { nextLedgerLines } from '../../../money/list-ledger.ts'
import { type File, onward, ROWS } from './file.ts'

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
    onward(
      (afterId = 0) => nextLedgerLines(db, { programId: program.id, partnerId: query.partnerId, afterId, limit: ROWS }),
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
}
