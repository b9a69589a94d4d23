import { balancesQuery, ledgerQuery } from '@tributary/contract'
import { decimal } from '../../money/decimal.ts'
import { listBalances } from '../../money/list-balances.ts'
import { listLedger } from '../../money/list-ledger.ts'
import type { App, Dependencies } from '../context.ts'
import { check } from '../read-json.ts'
import { answerCsv, type Cell, WHOLE_LIST, wantsCsv } from './csv.ts'
import { movementCells } from './export/ledger.ts'
import { answerList } from './lists.ts'
import { partnerIn } from './partners.ts'
import { requireProgram } from './require-session.ts'

type Balance = Awaited<ReturnType<typeof listBalances>>['rows'][number]

/** What is owed to partners, and every movement that it is the sum of. */
export const balances = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const mayRead = requireProgram(dependencies, 'commission:read')

  app.get('/api/programs/:programId/balances', mayRead, async (c) => {
    const query = check(balancesQuery, c.req.query())
    const page = wantsCsv(c) ? WHOLE_LIST : query
    const { rows, total } = await listBalances(db, { programId: c.get('program').id, at: clock(), ...query, ...page })
    if (!wantsCsv(c)) return answerList(c, rows, { ...page, total })
    const columns = ['partner_id', 'currency', 'held', 'payable', 'in_payout', 'paid', 'in_review', 'disputed']
    return answerCsv(c, 'balances', columns, rows.map(balanceCells))
  })

  app.get('/api/programs/:programId/partners/:partnerId/ledger', mayRead, async (c) => {
    const partnerId = await partnerIn(c, db)
    const { sort, ...asked } = check(ledgerQuery, c.req.query())
    const page = wantsCsv(c) ? WHOLE_LIST : asked
    const { rows, total } = await listLedger(db, { programId: c.get('program').id, partnerId, sort, ...page })
    if (!wantsCsv(c)) return answerList(c, rows, { ...page, total })
    const columns = ['id', 'created_at', 'from', 'to', 'amount', 'currency', 'available_at', 'cause', 'commission_id']
    return answerCsv(c, `ledger-of-partner-${partnerId}`, columns, rows.map(movementCells))
  })
}

const balanceCells = ({ partnerId, currency, ...row }: Balance): Cell[] => [
  partnerId,
  currency,
  ...[row.heldCents, row.payableCents, row.batchedCents, row.paidCents, row.reviewCents, row.disputedCents].map(
    (cents) => decimal(cents, currency),
  ),
]
