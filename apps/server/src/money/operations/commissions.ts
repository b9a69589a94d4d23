import { COMMISSIONS } from '@tributary/contract/declared'
import type { Clock } from '../../clock.ts'
import { lockCustomerOfMaximum } from '../../customers/maximum-locks.ts'
import { searchTerm } from '../../customers/search-term.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { visibleMatches } from '../../explain/evidence-words.ts'
import { withGroups, withPartnerNames } from '../../partners/partner-names.ts'
import { hasPermission } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import type { Audit } from '../../platform/audit.ts'
import { ID_LIMIT, refuseTooMany, runBulk } from '../../platform/bulk.ts'
import { pagesById } from '../../platform/csv-pages.ts'
import { csvFile } from '../../platform/files.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { voidCommission } from '../../tracking/adjustments/void-commission.ts'
import { storeReviewDecision } from '../../tracking/commissions/store-review-decision.ts'
import {
  commissionTotals,
  type Filter,
  findCommissionIds,
  findCommissionKey,
  findCommissionRow,
  findCommissionsById,
  listCommissions,
} from '../commissions/list-commissions.ts'
import { withOrigins } from '../commissions/origins.ts'
import { closeReview } from '../reviews/close-review.ts'
import { countOpenReviews } from '../reviews/count-reviews.ts'
import { commissionCells, commissions as file } from './commission-file.ts'

export const commissions = ({ hashKey }: { hashKey: string }) => {
  /** Members who may not list customers do not find commissions by customer or invoice either. */
  const filterOf = async <Query extends { search?: string | undefined }>({ query, ...reader }: Read<Query>) => {
    const { search, ...filter } = query
    const term = searchTerm(hashKey, search)
    const found = term && { ...term, seesCustomers: await seesCustomers(reader.db, reader) }
    return { ...filter, programId: reader.program.id, at: reader.clock(), search: found }
  }

  return runs(
    COMMISSIONS,
    { commissionId: { what: 'commission', find: findCommissionKey } },
    {
      list: async (read) => {
        const { format, ...filter } = await filterOf(read)
        if (format === 'csv') return commissionFile(read.db, filter)
        const { rows, total } = await listCommissions(read.db, filter)
        return { rows: await described(read, rows), total }
      },

      totals: async (read) => commissionTotals(read.db, await filterOf(read)),

      countReviews: ({ db, program }) => countOpenReviews(db, program.id),

      review: {
        ownTransactions: async ({ body, params: { commissionId }, ...change }) => {
          await inTransaction(change.db, (tx) => decideReview(tx, { ...change, ...body, commissionId }))
          return describedOne(change, commissionId)
        },
      },

      void: {
        ownTransactions: async ({ body: { reason }, params: { commissionId }, ...change }) => {
          await inTransaction(change.db, (tx) => voidOne(tx, { ...change, commissionId, reason }))
          return describedOne(change, commissionId)
        },
      },

      ids: async (read) => {
        const filter = await filterOf(read)
        const ids = await findCommissionIds(read.db, { ...filter, sort: 'earnedAt', limit: ID_LIMIT })
        return refuseTooMany(ids, 'commissions')
      },

      changeSeveral: {
        ownTransactions: ({ db, body: { ids, action, reason }, ...change }) =>
          runBulk(ids, (commissionId) =>
            inTransaction<unknown>(db, (tx) =>
              action === 'void'
                ? voidOne(tx, { ...change, commissionId, reason, onlyWithRest: true })
                : decideReview(tx, { ...change, commissionId, reason, decision: DECISIONS[action] }),
            ),
          ),
      },
    },
  )
}

type Reader = { program: Program; actor: Member }
type Read<Query> = Reader & { db: Database; clock: Clock; query: Query }

/** Customers, invoices and what leads to them are shown to members who may list them. */
export const seesCustomers = (db: Database | Tx, { program: { workspaceId }, actor }: Reader) =>
  hasPermission(db, { user: actor, workspaceId, permission: 'tracking:list' })

const commissionFile = async (db: Database, filter: Filter & Parameters<typeof findCommissionIds>[1]) => {
  const ids = await findCommissionIds(db, filter)
  const read = async (part: number[]) =>
    withGroups(db, filter.programId, await findCommissionsById(db, { ...filter, ids: part }))
  return csvFile({ name: 'commissions', columns: file.columns, rows: pagesById(ids, read, commissionCells) })
}

type Stored = Awaited<ReturnType<typeof listCommissions>>['rows'][number]

/** With the partner, the group and what earned them. */
const described = async ({ db, ...reader }: Reader & { db: Database }, rows: Stored[]) => {
  const { id: programId } = reader.program
  const named = await withPartnerNames(db, programId, rows)
  const { workspaceId } = reader.program
  const seesDetails = await hasPermission(db, { user: reader.actor, workspaceId, permission: 'payout:manage' })
  const known = (await withGroups(db, programId, named)).map((row) => ({
    ...row,
    selfReferralMatches: visibleMatches(row.selfReferralMatches, seesDetails),
  }))
  return withOrigins(db, programId, known, { seesCustomers: await seesCustomers(db, reader) })
}

const describedOne = async (reader: Reader & { db: Database; clock: Clock }, id: number) => {
  const row = await findCommissionRow(reader.db, { programId: reader.program.id, id, at: reader.clock() })
  const [commission] = await described(reader, [orNotFound(row, 'commission')])
  return orNotFound(commission, 'commission')
}

const DECISIONS = { release: 'released', reject: 'rejected' } as const

type Change = Reader & { commissionId: number; reason: string; clock: Clock; audit: Audit }

const decideReview = async (
  tx: Tx,
  { program, actor, commissionId, reason, clock, audit, decision }: Change & Decision,
) => {
  const key = { programId: program.id, commissionId }
  await lockCustomerOfMaximum(tx, key)
  const at = clock()
  const decided = { ...key, decision, decisionNote: reason, decidedBy: actor.id, at }
  orNotFound(await closeReview(tx, decided), 'commission')
  await storeReviewDecision(tx, { ...key, decision, at })
  const action = decision === 'released' ? 'commission approved' : 'commission rejected'
  await audit(tx, { action, subject: `commission ${commissionId}`, after: { reason }, at })
}

type Decision = { decision: 'released' | 'rejected' }

const voidOne = async (
  tx: Tx,
  { program, actor, clock, commissionId, reason, onlyWithRest = false }: Change & OnlyWithRest,
) => {
  const key = { programId: program.id, commissionId }
  await lockCustomerOfMaximum(tx, key)
  return voidCommission(tx, { ...key, reason, note: null, onlyWithRest, userId: actor.id, at: clock() })
}

type OnlyWithRest = { onlyWithRest?: boolean }
