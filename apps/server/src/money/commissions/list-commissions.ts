import type { CommissionState, CommissionsQuery } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { anyOf } from '../../database/sql/columns.ts'
import { groupAt } from '../../database/sql/group-at.ts'
import type { Page } from '../../database/sql/pages.ts'
import { type CommissionTerm, commissionsWith } from '../../database/sql/search.ts'
import { orderBy } from '../../database/sql/sorting.ts'
import { readHashed } from '../../database/transaction.ts'
import {
  type CommissionRow,
  describeCommissions,
  isHeldAt,
  withTotals,
  withTotalsOfProgram,
} from './commission-states.ts'

export type Filter = {
  programId: number
  at: Date
  partnerId?: number
  /** The partner's group at the time of the event. */
  groupId?: number
  state?: CommissionState
  inPayout?: 'true' | 'false'
  disputed?: 'true' | 'false'
  id?: number
  ids?: number[]
  beforeId?: number
  search?: CommissionTerm | undefined
}

/** For queries that need the state of every commission. One partner has few, so those are looked up individually. */
export const selectAllCommissions = (filter: Filter) =>
  filter.partnerId === undefined && filter.search === undefined
    ? describe(filter, withTotalsOfProgram(filter.programId, matchingCommissions(filter)))
    : selectCommissions(filter)

const selectCommissions = (filter: Filter, from = matchingCommissions(filter)) => describe(filter, withTotals(from))

const describe = ({ programId, at }: Filter, from: RawBuilder<unknown>) =>
  describeCommissions({ programId, from, isHeld: isHeldAt(at) })

const GROUP_OF_COMMISSION = groupAt({
  programId: sql`commissions.program_id`,
  partnerId: sql`commissions.partner_id`,
  at: sql`commissions.earned_at`,
})

const matchingCommissions = ({ programId, partnerId, groupId, id, ids, beforeId, search }: Filter) => sql`
  SELECT * FROM commissions WHERE program_id = ${programId}
    ${partnerId === undefined ? sql`` : sql`AND partner_id = ${partnerId}`}
    ${groupId === undefined ? sql`` : sql`AND ${GROUP_OF_COMMISSION} = ${groupId}`}
    ${id === undefined ? sql`` : sql`AND id = ${id}`}
    ${ids === undefined ? sql`` : sql`AND id = ${anyOf(ids)}`}
    ${beforeId === undefined ? sql`` : sql`AND id < ${beforeId}`}
    ${search === undefined ? sql`` : sql`AND id IN ${commissionsWith(programId, search)}`}`

/** These filters depend on the ledger, not only on the commissions table. */
const hasLedgerFilter = ({ state, inPayout, disputed }: Filter) => Boolean(state || inPayout || disputed)
const ledgerFilter = ({ state, inPayout, disputed }: Filter) => sql`WHERE true
  ${state ? sql`AND state = ${state}` : sql``}
  ${inPayout ? sql`AND in_payout = ${inPayout === 'true'}` : sql``}
  ${disputed ? sql`AND (disputed_cents > 0) = ${disputed === 'true'}` : sql``}`

// The dashboard shows the amount after reversals, so sort by that.
const ORDERS = { earnedAt: 'earned_at', payableAt: 'payable_at', amountCents: 'amount_cents - reversed_cents' }

type Sorted = Filter & Pick<CommissionsQuery, 'sort'>
// Filtering by state or sorting by amount needs the ledger of every commission; otherwise the ledger of one page is enough.
const needsAllStates = ({ sort, ...filter }: Sorted) => hasLedgerFilter(filter) || sort.endsWith('amountCents')

export const listCommissions = async (db: Database, query: Sorted & Page) => {
  const { page, pageSize, sort, ...filter } = query
  const order = orderBy(sort, ORDERS, 'id')
  const slice = sql`${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  const all = sql`(${selectAllCommissions(filter)}) commission ${ledgerFilter(filter)}`
  const rows = needsAllStates(query)
    ? sql`${all} ${slice}`
    : sql`(${selectCommissions(filter, sql`${matchingCommissions(filter)} ${slice}`)}) commission ${order}`
  const counted = hasLedgerFilter(filter) ? all : sql`(${matchingCommissions(filter)}) commission`
  const [list, [count]] = await Promise.all([
    readHashed(db, sql<CommissionRow>`SELECT * FROM ${rows}`, { isLong: needsAllStates(query) }),
    readHashed(db, sql<{ total: number }>`SELECT count(*) AS total FROM ${counted}`, {
      isLong: hasLedgerFilter(filter),
    }),
  ])
  return { rows: list, total: count?.total ?? 0 }
}

/** The ids of all matching commissions, in list order. */
export const findCommissionIds = async (db: Database, { limit, ...query }: Sorted & { limit?: number }) => {
  const all = needsAllStates(query)
    ? sql`(${selectAllCommissions(query)}) commission ${ledgerFilter(query)}`
    : sql`(${matchingCommissions(query)}) commission`
  const ids = sql<{
    id: number
  }>`SELECT id FROM ${all} ${orderBy(query.sort, ORDERS, 'id')} ${limit ? sql`LIMIT ${limit}` : sql``}`
  return (await readHashed(db, ids, { isLong: needsAllStates(query) })).map(({ id }) => id)
}

/** Skips commissions that no longer match the filter. */
export const findCommissionsById = (db: Database, filter: Filter & { ids: number[] }) =>
  readHashed(db, sql<CommissionRow>`SELECT * FROM (${selectCommissions(filter)}) commission ${ledgerFilter(filter)}`)

/** What a path names. */
export const findCommissionKey = (db: Database, { programId, id }: { programId: number; id: number }) =>
  db.selectFrom('commissions').select('id').where('programId', '=', programId).where('id', '=', id).executeTakeFirst()

export const findCommissionRow = async (db: Database, filter: Filter & { id: number }) =>
  (await readHashed(db, sql<CommissionRow>`${selectCommissions(filter)}`))[0]

/** The next rows of an export, newest first. */
export const nextCommissions = (db: Database, { limit, ...filter }: Filter & { limit: number }) =>
  readHashed(
    db,
    sql<CommissionRow>`SELECT * FROM (${selectCommissions(filter)}) commission ${ledgerFilter(filter)} ORDER BY id DESC LIMIT ${limit}`,
  )

type Total = {
  state: CommissionState
  currency: string
  count: number
  amountCents: number
  reversedCents: number
  inPayoutCents: number
  inPayoutCount: number
  disputedCents: number
  disputedCount: number
  freeCount: number
}

/**
 * Remaining amounts by state and currency. A commission in an open payout stays payable until it is paid; a partly paid one is split
 * between its state and `paid`. The split follows the first sums, because splitting every commission took most of the time.
 */
export const commissionTotals = (db: Database, filter: Filter) => {
  const totals = sql<Total>`
    WITH whole AS (
      SELECT commission.state, currency, count(*) AS count, sum(left_cents - paid_in_part) AS cents, sum(reversed_cents) AS reversed_cents,
        coalesce(sum(in_payout_cents) FILTER (WHERE is_unpaid), 0) AS in_payout_cents,
        count(*) FILTER (WHERE in_payout) AS in_payout_count, sum(disputed_cents) AS disputed_cents,
        count(*) FILTER (WHERE disputed_cents > 0) AS disputed_count,
        count(*) FILTER (WHERE NOT in_payout AND disputed_cents = 0) AS free_count,
        sum(paid_in_part) AS paid_in_part, bool_or(paid_in_part <> 0) AS is_split
      FROM (${selectAllCommissions(filter)}) commission
      CROSS JOIN LATERAL (
        SELECT amount_cents - reversed_cents AS left_cents, commission.state NOT IN ('paid', 'reversed') AS is_unpaid) of
      CROSS JOIN LATERAL (SELECT CASE WHEN is_unpaid THEN paid_cents ELSE 0 END AS paid_in_part) part
      GROUP BY commission.state, currency)
    SELECT state, currency, sum(count)::bigint AS count, sum(cents)::bigint AS amount_cents, sum(reversed_cents)::bigint AS reversed_cents,
      sum(in_payout_cents)::bigint AS in_payout_cents, sum(disputed_cents)::bigint AS disputed_cents,
      sum(in_payout_count)::bigint AS in_payout_count, sum(disputed_count)::bigint AS disputed_count,
      sum(free_count)::bigint AS free_count
    FROM (
      SELECT state, currency, count, cents, reversed_cents, in_payout_cents, in_payout_count, disputed_cents, disputed_count, free_count
      FROM whole
      UNION ALL SELECT 'paid', currency, 0, paid_in_part, 0, 0, 0, 0, 0, 0 FROM whole WHERE is_split) split
    GROUP BY state, currency ORDER BY state, currency`
  return readHashed(db, totals, { isLong: true })
}
