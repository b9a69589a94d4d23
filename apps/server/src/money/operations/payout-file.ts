import { toDecimal } from '@tributary/contract'
import { type Cell, type ExportRequest, type File, pages } from '../../platform/csv-pages.ts'
import { findPayoutLines } from '../payouts/find-payout-lines.ts'
import { listPayouts } from '../payouts/list-payouts.ts'

async function* rowsOf({ db, program, query }: ExportRequest): AsyncGenerator<Cell[][]> {
  const every = pages(
    (page) => listPayouts(db, { programId: program.id, sort: '-createdAt', ...page }),
    ({ id, createdAt }) => [id, createdAt],
  )
  for await (const payouts of every)
    for (const [id, createdAt] of payouts) {
      const found = await findPayoutLines(db, { programId: program.id, payoutId: Number(id) })
      const lines = found.filter(({ partnerId }) => query.partnerId === undefined || query.partnerId === partnerId)
      yield lines.map((line) => [
        id,
        createdAt,
        line.id,
        line.partnerId,
        toDecimal(line.amountCents, line.currency),
        line.currency,
        line.status,
        line.decidedAt,
        line.emptied,
        line.reference,
        line.paidAt,
      ])
    }
}

export const payouts: File = {
  permission: 'commission:read',
  columns: [
    'payout_id',
    'created_at',
    'line_id',
    'partner_id',
    'amount',
    'currency',
    'status',
    'decided_at',
    'emptied',
    'reference',
    'paid_at',
  ],
  rows: rowsOf,
}
