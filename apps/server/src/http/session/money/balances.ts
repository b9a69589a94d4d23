import { balancesQuery, ledgerQuery, toDecimal } from '@tributary/contract'
import { movementCells } from '../../../money/ledger/ledger-file.ts'
import { listBalances } from '../../../money/ledger/list-balances.ts'
import { listLedger, nextLedgerLines } from '../../../money/ledger/list-ledger.ts'
import { chunks, keysetPages, ROWS, WHOLE_LIST } from '../../../platform/csv-pages.ts'
import type { App, Dependencies } from '../../context.ts'
import { type Cell, streamCsv, wantsCsv } from '../../csv.ts'
import { answerList } from '../../lists.ts'
import { check } from '../../read-json.ts'
import { partnerIdInPath } from '../partners/partners.ts'
import { requireProgram } from '../require-session.ts'

type Balance = Awaited<ReturnType<typeof listBalances>>['rows'][number]

/** Partners' balances and ledger entries. */
export const balances = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'commission:read')

  app.get('/api/programs/:programId/balances', mayRead, async (c) => {
    const query = check(balancesQuery, c.req.query())
    const page = wantsCsv(c) ? WHOLE_LIST : query
    const { rows, total } = await listBalances(c.get('db'), {
      programId: c.get('program').id,
      at: clock(),
      ...query,
      ...page,
    })
    if (!wantsCsv(c)) return answerList(c, rows, { ...page, total })
    const columns = ['partner_id', 'currency', 'held', 'payable', 'in_payout', 'paid', 'in_review', 'disputed']
    return streamCsv(c, 'balances', columns, chunks(rows, balanceCells))
  })

  app.get('/api/programs/:programId/partners/:partnerId/ledger', mayRead, async (c) => {
    const db = c.get('db')
    const partnerId = await partnerIdInPath(c, db)
    const { sort, ...page } = check(ledgerQuery, c.req.query())
    const filter = { programId: c.get('program').id, partnerId, sort }
    if (wantsCsv(c)) {
      const columns = ['id', 'created_at', 'from', 'to', 'amount', 'currency', 'available_at', 'cause', 'commission_id']
      const rows = keysetPages((lastId) => nextLedgerLines(db, { ...filter, lastId, limit: ROWS }), movementCells)
      return streamCsv(c, `ledger-of-partner-${partnerId}`, columns, rows)
    }
    const { rows, total } = await listLedger(db, { ...filter, ...page })
    return answerList(c, rows, { ...page, total })
  })
}

const balanceCells = ({ partnerId, currency, ...row }: Balance): Cell[] => [
  partnerId,
  currency,
  ...[row.heldCents, row.payableCents, row.batchedCents, row.paidCents, row.reviewCents, row.disputedCents].map(
    (cents) => toDecimal(cents, currency),
  ),
]
