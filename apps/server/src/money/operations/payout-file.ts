import { toDecimal } from '@tributary/contract'
import { type Cell, type ExportRequest, type File, pages } from '../../platform/csv-pages.ts'
import { findPayout, listPayouts } from '../payouts/list-payouts.ts'

async function* rowsOf({ db, program, query }: ExportRequest): AsyncGenerator<Cell[][]> {
  const every = pages(
    (page) => listPayouts(db, { programId: program.id, sort: '-createdAt', ...page }),
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
