import type { CommissionState, CommissionsQuery } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Page } from '../../database/sql/pages.ts'
import { orderBy } from '../../database/sql/sorting.ts'
import { inLongTransaction } from '../../database/transaction.ts'
import { type CommissionRow, commissionsOf, everyCommissionOf, type Filter, matching } from './commission-states.ts'

/** By what follows from the ledger alone. */
const isNarrowed = ({ state, inPayout, disputed }: Filter) => Boolean(state || inPayout || disputed)
const narrowed = ({ state, inPayout, disputed }: Filter) => sql`WHERE true
  ${state ? sql`AND state = ${state}` : sql``}
  ${inPayout ? sql`AND in_payout = ${inPayout === 'true'}` : sql``}
  ${disputed ? sql`AND (disputed_cents > 0) = ${disputed === 'true'}` : sql``}`

// The amount is what is left of it, as it is shown.
const ORDERS = { earnedAt: 'earned_at', payableAt: 'payable_at', amountCents: 'amount_cents - reversed_cents' }

type Sorted = Filter & Pick<CommissionsQuery, 'sort'>
// Only a list by where it stands or by what is left needs the ledger of every commission; any other needs it of one page.
const needsEvery = ({ sort, ...filter }: Sorted) => isNarrowed(filter) || sort.endsWith('amountCents')

const answerOf = async <Row>(db: Database, query: RawBuilder<Row>, every: boolean) =>
  (await (every ? inLongTransaction(db, (tx) => query.execute(tx)) : query.execute(db))).rows

export const listCommissions = async (db: Database, asked: Sorted & Page) => {
  const { page, pageSize, sort, ...filter } = asked
  const order = orderBy(sort, ORDERS, 'id')
  const part = sql`${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  const all = sql`(${everyCommissionOf(filter)}) commission ${narrowed(filter)}`
  const rows = needsEvery(asked)
    ? sql`${all} ${part}`
    : sql`(${commissionsOf(filter, sql`${matching(filter)} ${part}`)}) commission ${order}`
  const counted = isNarrowed(filter) ? all : sql`(${matching(filter)}) commission`
  const [list, [count]] = await Promise.all([
    answerOf(db, sql<CommissionRow>`SELECT * FROM ${rows}`, needsEvery(asked)),
    answerOf(db, sql<{ total: number }>`SELECT count(*) AS total FROM ${counted}`, isNarrowed(filter)),
  ])
  return { rows: list, total: count?.total ?? 0 }
}

/** Which commissions a list has, in its order. */
export const commissionIds = async (db: Database, asked: Sorted) => {
  const all = needsEvery(asked)
    ? sql`(${everyCommissionOf(asked)}) commission ${narrowed(asked)}`
    : sql`(${matching(asked)}) commission`
  const ids = sql<{ id: number }>`SELECT id FROM ${all} ${orderBy(asked.sort, ORDERS, 'id')}`
  return (await answerOf(db, ids, needsEvery(asked))).map(({ id }) => id)
}

/** Those of them that still belong to the list. */
export const commissionsById = async (db: Database, filter: Filter & { ids: number[] }) =>
  (await sql<CommissionRow>`SELECT * FROM (${commissionsOf(filter)}) commission ${narrowed(filter)}`.execute(db)).rows

export const findCommissionRow = async (db: Database, filter: Filter & { id: number }) =>
  (await sql<CommissionRow>`${commissionsOf(filter)}`.execute(db)).rows[0]

/** The next so many, newest first, for a file of all. */
export const nextCommissions = async (db: Database, { limit, ...filter }: Filter & { limit: number }) =>
  (
    await sql<CommissionRow>`SELECT * FROM (${commissionsOf(filter)}) commission ${narrowed(filter)} ORDER BY id DESC LIMIT ${limit}`.execute(
      db,
    )
  ).rows

type Total = {
  state: CommissionState
  currency: string
  count: number
  amountCents: number
  inPayoutCents: number
  disputedCents: number
}

/**
 * What is left of all commissions of a program, by state and currency. What an open payout has listed is payable until it is paid. Of one
 * that was paid in part, that part is among the paid.
 */
export const commissionTotals = (db: Database, filter: Filter) => {
  const totals = sql<Total>`
    SELECT part.state, currency, sum(part.count)::bigint AS count, sum(part.cents)::bigint AS amount_cents,
      sum(part.in_payout_cents)::bigint AS in_payout_cents, sum(part.disputed_cents)::bigint AS disputed_cents
    FROM (${everyCommissionOf(filter)}) commission
    CROSS JOIN LATERAL (
      SELECT amount_cents - reversed_cents AS left_cents,
        CASE WHEN commission.state IN ('paid', 'reversed') THEN 0 ELSE commission.paid_cents END AS paid_in_part) of
    CROSS JOIN LATERAL (VALUES
      (commission.state, 1, left_cents - paid_in_part,
        CASE WHEN commission.state IN ('paid', 'reversed') THEN 0 ELSE commission.in_payout_cents END, commission.disputed_cents),
      ('paid', 0, paid_in_part, 0, 0)) part (state, count, cents, in_payout_cents, disputed_cents)
    WHERE part.count > 0 OR part.cents <> 0
    GROUP BY part.state, currency ORDER BY part.state, currency`
  return answerOf(db, totals, true)
}
