import { auditQuery, balancesQuery, commissionsQuery, decideReviewRequest, ledgerQuery } from '@tributary/contract'
import { listAudit, nextAudit, note } from '../../audit/audit-log.ts'
import type { Tx } from '../../database/transaction.ts'
import { decideReview } from '../../money/decide-review.ts'
import { decimal } from '../../money/decimal.ts'
import { listBalances } from '../../money/list-balances.ts'
import {
  commissionIds,
  commissionsById,
  commissionTotals,
  findCommissionRow,
  listCommissions,
} from '../../money/list-commissions.ts'
import { listLedger, nextLedgerLines } from '../../money/list-ledger.ts'
import { keepReviewDecision } from '../../tracking/keep-money-decisions.ts'
import type { App, Dependencies } from '../context.ts'
import { streamCsv, wantsCsv } from '../csv.ts'
import { answerList, answerWhole, numberIn, orNotFound } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { commissionCells, commissions as file } from './export/commissions.ts'
import { inOrder, inParts, onward, ROWS, WHOLE_LIST } from './export/file.ts'
import { movementCells } from './export/ledger.ts'
import { withPartnerNames } from './partner-names.ts'
import { partnerIn } from './partners.ts'
import { requireProgram } from './require-session.ts'

/** What was earned, what became of it, and what is owed. */
export const commissions = (app: App, dependencies: Dependencies) => {
  const { db, clock } = dependencies
  const mayRead = requireProgram(dependencies, 'commission:read')
  const mayManage = requireProgram(dependencies, 'payout:manage')

  app.get('/api/programs/:programId/commissions', mayRead, async (c) => {
    const query = check(commissionsQuery, c.req.query())
    const filter = { ...query, programId: c.get('program').id, at: clock() }
    if (wantsCsv(c)) {
      const ids = await commissionIds(db, filter)
      const rows = inOrder(ids, (part) => commissionsById(db, { ...filter, ids: part }), commissionCells)
      return streamCsv(c, 'commissions', file.columns, rows)
    }
    const { rows, total } = await listCommissions(db, filter)
    return answerList(c, await withPartnerNames(db, filter.programId, rows), { ...query, total })
  })

  app.get('/api/programs/:programId/commissions/totals', mayRead, async (c) => {
    const query = check(commissionsQuery, c.req.query())
    return answerWhole(c, await commissionTotals(db, { ...query, programId: c.get('program').id, at: clock() }))
  })

  app.post('/api/programs/:programId/commissions/:commissionId/review', mayManage, async (c) => {
    const programId = c.get('program').id
    const commissionId = orNotFound(numberIn(c, 'commissionId'), 'commission')
    const { decision, reason } = check(decideReviewRequest, await readJson(c))
    const userId = c.get('user').id
    const at = clock()
    const also = async (tx: Tx) => {
      await keepReviewDecision(tx, { programId, commissionId, decision, at })
      await note(tx, {
        programId,
        userId,
        action: `review ${decision}`,
        subject: `commission ${commissionId}`,
        after: { reason },
        at,
      })
    }
    const decided = { programId, commissionId, decision, decisionNote: reason, decidedBy: userId, at, also }
    orNotFound(await decideReview(db, decided), 'commission')
    const decidedRow = orNotFound(await findCommissionRow(db, { programId, id: commissionId, at }), 'commission')
    const [row] = await withPartnerNames(db, programId, [decidedRow])
    return c.json({ data: row })
  })

  app.get('/api/programs/:programId/balances', mayRead, async (c) => {
    const query = check(balancesQuery, c.req.query())
    const page = wantsCsv(c) ? WHOLE_LIST : query
    const { rows, total } = await listBalances(db, { programId: c.get('program').id, at: clock(), ...query, ...page })
    if (!wantsCsv(c)) return answerList(c, rows, { ...page, total })
    const columns = ['partner_id', 'currency', 'held', 'payable', 'in_payout', 'paid', 'in_review', 'disputed']
    return streamCsv(c, 'balances', columns, inParts(rows, balanceCells))
  })

  app.get('/api/programs/:programId/partners/:partnerId/ledger', mayRead, async (c) => {
    const partnerId = await partnerIn(c, db)
    const { sort, ...page } = check(ledgerQuery, c.req.query())
    const asked = { programId: c.get('program').id, partnerId, sort }
    if (wantsCsv(c)) {
      const columns = ['id', 'created_at', 'from', 'to', 'amount', 'currency', 'available_at', 'cause', 'commission_id']
      const rows = onward((lastId) => nextLedgerLines(db, { ...asked, lastId, limit: ROWS }), movementCells)
      return streamCsv(c, `ledger-of-partner-${partnerId}`, columns, rows)
    }
    const { rows, total } = await listLedger(db, { ...asked, ...page })
    return answerList(c, rows, { ...page, total })
  })

  app.get('/api/programs/:programId/audit', mayManage, async (c) => {
    const query = check(auditQuery, c.req.query())
    const asked = { ...query, programId: c.get('program').id }
    if (wantsCsv(c)) {
      const columns = ['id', 'created_at', 'user_id', 'action', 'subject', 'before', 'after']
      const rows = onward((_, last?: AuditRow) => nextAudit(db, { ...asked, last, limit: ROWS }), auditCells)
      return streamCsv(c, 'audit', columns, rows)
    }
    const { rows, total } = await listAudit(db, asked)
    return answerList(c, rows, { ...query, total })
  })
}

type BalanceRow = Awaited<ReturnType<typeof listBalances>>['rows'][number]
const balanceCells = ({ partnerId, currency, ...row }: BalanceRow) => {
  const columns = [row.heldCents, row.payableCents, row.batchedCents, row.paidCents, row.reviewCents, row.disputedCents]
  return [partnerId, currency, ...columns.map((cents) => decimal(cents, currency))]
}

type AuditRow = Awaited<ReturnType<typeof nextAudit>>[number]
const auditCells = (row: AuditRow) => {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  return [row.id, row.createdAt, row.userId, row.action, row.subject, json(row.before), json(row.after)]
}
