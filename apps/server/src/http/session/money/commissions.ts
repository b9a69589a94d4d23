import {
  type BulkCommissions,
  bulkCommissionsRequest,
  commissionIdsQuery,
  commissionsQuery,
  decideReviewRequest,
  voidCommissionRequest,
} from '@tributary/contract'
import { recordAudit } from '../../../audit/audit-log.ts'
import { searchTerm } from '../../../customers/search-term.ts'
import type { Database } from '../../../database/connect.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import type { CommissionRow } from '../../../money/commissions/commission-states.ts'
import {
  commissionTotals,
  findCommissionIds,
  findCommissionRow,
  findCommissionsById,
  listCommissions,
} from '../../../money/commissions/list-commissions.ts'
import { withOrigins } from '../../../money/commissions/origins.ts'
import { commissionCells, commissions as file } from '../../../money/operations/commission-file.ts'
import { closeReview } from '../../../money/reviews/close-review.ts'
import { countOpenReviews } from '../../../money/reviews/count-reviews.ts'
import { withGroups, withPartnerNames } from '../../../partners/partner-names.ts'
import { ID_LIMIT, refuseTooMany, runBulk } from '../../../platform/bulk.ts'
import { pagesById } from '../../../platform/csv-pages.ts'
import { voidCommission } from '../../../tracking/adjustments/void-commission.ts'
import { storeReviewDecision } from '../../../tracking/commissions/commission-changes.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { streamCsv, wantsCsv } from '../../csv.ts'
import { answerList, answerWhole, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { hasPermission, requireProgram } from '../require-session.ts'

export const commissions = (app: App, dependencies: Dependencies) => {
  list(app, dependencies)
  totals(app, dependencies)
  countReviews(app, dependencies)
  review(app, dependencies)
  voidOne(app, dependencies)
  bulk(app, dependencies)
}

const named = async (db: Database, programId: number, rows: CommissionRow[]) =>
  withGroups(db, programId, await withPartnerNames(db, programId, rows))

/** Members who may not list customers do not find commissions by customer or invoice either. */
const readFilter = async (c: Call, dependencies: Dependencies) => {
  const { search, ...query } = check(commissionsQuery, c.req.query())
  return withSearch(c, dependencies, { query, search })
}

type Searched<Query> = { query: Query; search: string | undefined }

const withSearch = async <Query>(c: Call, { clock, hashKey }: Dependencies, { query, search }: Searched<Query>) => {
  const db = c.get('db')
  const term = searchTerm(hashKey, search)
  const seesCustomers = await hasPermission(c, db, 'tracking:list')
  const filter = { ...query, programId: c.get('program').id, at: clock(), search: term && { ...term, seesCustomers } }
  return { filter, seesCustomers }
}

const list = (app: App, dependencies: Dependencies) => {
  app.get('/api/programs/:programId/commissions', requireProgram(dependencies, 'commission:read'), async (c) => {
    const db = c.get('db')
    const { filter, seesCustomers } = await readFilter(c, dependencies)
    if (wantsCsv(c)) {
      const ids = await findCommissionIds(db, filter)
      const read = async (part: number[]) =>
        withGroups(db, filter.programId, await findCommissionsById(db, { ...filter, ids: part }))
      const rows = pagesById(ids, read, commissionCells)
      return streamCsv(c, 'commissions', file.columns, rows)
    }
    const { rows, total } = await listCommissions(db, filter)
    const known = await named(db, filter.programId, rows)
    return answerList(c, await withOrigins(db, filter.programId, known, { seesCustomers }), { ...filter, total })
  })
}

/** One commission as the list shows it. */
const shown = async (c: Call, db: Database, commission: CommissionRow) => {
  const programId = c.get('program').id
  const known = await named(db, programId, [commission])
  const seesCustomers = await hasPermission(c, db, 'tracking:list')
  const [row] = await withOrigins(db, programId, known, { seesCustomers })
  return row
}

const totals = (app: App, dependencies: Dependencies) => {
  app.get('/api/programs/:programId/commissions/totals', requireProgram(dependencies, 'commission:read'), async (c) => {
    const { filter } = await readFilter(c, dependencies)
    return answerWhole(c, await commissionTotals(c.get('db'), filter))
  })
}

const countReviews = (app: App, dependencies: Dependencies) => {
  const mayRead = requireProgram(dependencies, 'commission:read')
  app.get('/api/programs/:programId/commissions/review-count', mayRead, async (c) =>
    c.json({ data: await countOpenReviews(c.get('db'), c.get('program').id) }),
  )
}

const review = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayManage = requireProgram(dependencies, 'payout:manage')
  app.post('/api/programs/:programId/commissions/:commissionId/review', mayManage, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const commissionId = orNotFound(pathId(c, 'commissionId'), 'commission')
    const { decision, reason } = check(decideReviewRequest, await readJson(c))
    const at = clock()
    await decideReview(db, { programId, commissionId, decision, reason, userId: c.get('user').id, at })
    const decidedRow = orNotFound(await findCommissionRow(db, { programId, id: commissionId, at }), 'commission')
    return c.json({ data: await shown(c, db, decidedRow) })
  })
}

type Decision = {
  programId: number
  commissionId: number
  decision: 'released' | 'rejected'
  reason: string
  userId: string
  at: Date
}

const decideReview = async (db: Database, { programId, commissionId, decision, reason, userId, at }: Decision) => {
  const action = decision === 'released' ? 'commission approved' : 'commission rejected'
  const entry = { action, subject: `commission ${commissionId}`, after: { reason } }
  const also = async (tx: Tx) => {
    await storeReviewDecision(tx, { programId, commissionId, decision, at })
    await recordAudit(tx, { programId, userId, ...entry, at })
  }
  const decided = { programId, commissionId, decision, decisionNote: reason, decidedBy: userId, at, also }
  return orNotFound(await closeReview(db, decided), 'commission')
}

const voidOne = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayManage = requireProgram(dependencies, 'payout:manage')
  app.post('/api/programs/:programId/commissions/:commissionId/void', mayManage, async (c) => {
    const db = c.get('db')
    const programId = c.get('program').id
    const commissionId = orNotFound(pathId(c, 'commissionId'), 'commission')
    const { reason } = check(voidCommissionRequest, await readJson(c))
    const userId = c.get('user').id
    const at = clock()
    await inTransaction(db, (tx) => voidCommission(tx, { programId, commissionId, reason, note: null, userId, at }))
    const voided = orNotFound(await findCommissionRow(db, { programId, id: commissionId, at }), 'commission')
    return c.json({ data: await shown(c, db, voided) })
  })
}

const bulk = (app: App, dependencies: Dependencies) => {
  const path = '/api/programs/:programId/commissions'
  app.get(`${path}/ids`, requireProgram(dependencies, 'commission:read'), async (c) => {
    const { search, ...query } = check(commissionIdsQuery, c.req.query())
    const { filter } = await withSearch(c, dependencies, { query, search })
    const ids = await findCommissionIds(c.get('db'), { ...filter, sort: 'earnedAt', limit: ID_LIMIT })
    return c.json({ data: refuseTooMany(ids, 'commissions') })
  })

  app.post(`${path}/bulk`, requireProgram(dependencies, 'payout:manage'), async (c) => {
    const request = check(bulkCommissionsRequest, await readJson(c))
    return c.json({ data: await runBulk(request.ids, (id) => changeOne(c, dependencies, { id, request })) })
  })
}

const changeOne = (
  c: Call,
  { clock }: Dependencies,
  { id, request: { action, reason } }: { id: number; request: BulkCommissions },
) => {
  const by = { programId: c.get('program').id, commissionId: id, reason, userId: c.get('user').id, at: clock() }
  if (action === 'void')
    return inTransaction(c.get('db'), (tx) => voidCommission(tx, { ...by, note: null, onlyWithRest: true }))
  return decideReview(c.get('db'), { ...by, decision: action === 'release' ? 'released' : 'rejected' })
}
