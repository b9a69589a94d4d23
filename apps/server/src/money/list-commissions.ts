import type { CommissionState, CommissionsQuery } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../database/any-of.ts'
import type { Database } from '../database/connect.ts'
import type { Page } from '../database/pages.ts'
import { orderBy } from '../database/sorting.ts'

export type CommissionRow = {
  id: number
  kind: 'lead' | 'sale'
  partnerId: number
  saleId: number | null
  leadId: number | null
  amountCents: number
  reversedCents: number
  currency: string
  state: CommissionState
  inPayout: boolean
  disputedCents: number
  earnedAt: Date
  payableAt: Date
  termsVersion: number
  reviewReason: string | null
}

type Filter = {
  programId: number
  at: Date
  partnerId?: number
  state?: CommissionState
  inPayout?: 'true' | 'false'
  disputed?: 'true' | 'false'
  id?: number
  ids?: number[]
  beforeId?: number
}

/** What of this commission was taken back for good. */
export const reversedOf = (commission: 'commission' | 'earned') => sql<number>`(
  SELECT ${sql.ref(`${commission}.amount_cents`)}
    - coalesce(sum(CASE WHEN from_account = 'program' THEN line.amount_cents ELSE -line.amount_cents END), 0)::bigint
  FROM ledger_lines line
  WHERE line.program_id = ${sql.ref(`${commission}.program_id`)} AND line.commission_id = ${sql.ref(`${commission}.id`)}
    AND 'program' IN (from_account, to_account))`

/** The state of a commission is not stored anywhere: it follows from the ledger, the payouts, the reviews and the clock. */
const commissionsOf = (filter: Filter, from = matching(filter)): RawBuilder<CommissionRow> => sql`
  SELECT commission.id, kind, commission.partner_id, sale_id, lead_id, commission.amount_cents, commission.currency, earned_at,
    payable_at, terms_version, reversed.cents AS reversed_cents, disputed.cents AS disputed_cents, review.reason AS review_reason,
    -- The line still lists one of which nothing is left, and pays nothing for it.
    listed.open AND reversed.cents < commission.amount_cents AS in_payout,
    CASE
      WHEN reversed.cents >= commission.amount_cents THEN 'reversed'
      WHEN review.commission_id IS NOT NULL AND review.decision IS NULL THEN 'review'
      WHEN listed.paid THEN 'paid'
      WHEN disputed.cents > 0 OR payable_at > ${filter.at} THEN 'held'
      ELSE 'payable'
    END AS state
  FROM (${from}) commission
  CROSS JOIN LATERAL (SELECT ${reversedOf('commission')} AS cents) reversed
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE WHEN to_account = 'disputed' THEN amount_cents ELSE -amount_cents END), 0)::bigint AS cents FROM ledger_lines line
    WHERE line.program_id = commission.program_id AND line.commission_id = commission.id AND 'disputed' IN (to_account, from_account)) disputed
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(line.status = 'paid'), false) AS paid, coalesce(bool_or(line.status = 'open'), false) AS open
    FROM payout_commissions JOIN payout_lines line ON line.program_id = payout_commissions.program_id AND line.id = payout_line_id
    WHERE payout_commissions.program_id = commission.program_id AND commission_id = commission.id) listed
  LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id`

const matching = ({ programId, partnerId, id, ids, beforeId }: Filter) => sql`
  SELECT * FROM commissions WHERE program_id = ${programId}
    ${partnerId === undefined ? sql`` : sql`AND partner_id = ${partnerId}`}
    ${id === undefined ? sql`` : sql`AND id = ${id}`}
    ${ids === undefined ? sql`` : sql`AND id = ${anyOf(ids)}`}
    ${beforeId === undefined ? sql`` : sql`AND id < ${beforeId}`}`

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

export const listCommissions = async (db: Database, asked: Sorted & Page) => {
  const { page, pageSize, sort, ...filter } = asked
  const order = orderBy(sort, ORDERS, 'id')
  const part = sql`${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
  const all = sql`(${commissionsOf(filter)}) commission ${narrowed(filter)}`
  const rows = needsEvery(asked)
    ? sql`${all} ${part}`
    : sql`(${commissionsOf(filter, sql`${matching(filter)} ${part}`)}) commission ${order}`
  const counted = isNarrowed(filter) ? all : sql`(${matching(filter)}) commission`
  const [list, count] = await Promise.all([
    sql<CommissionRow>`SELECT * FROM ${rows}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${counted}`.execute(db),
  ])
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 }
}

/** Which commissions a list has, in its order. */
export const commissionIds = async (db: Database, asked: Sorted) => {
  const all = needsEvery(asked)
    ? sql`(${commissionsOf(asked)}) commission ${narrowed(asked)}`
    : sql`(${matching(asked)}) commission`
  const { rows } = await sql<{ id: number }>`SELECT id FROM ${all} ${orderBy(asked.sort, ORDERS, 'id')}`.execute(db)
  return rows.map(({ id }) => id)
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

/** What is left of all commissions of a program, by state and currency. What an open payout has listed is payable until it is paid. */
export const commissionTotals = async (db: Database, filter: Filter) => {
  const { rows } = await sql<Total>`
    SELECT state, currency, count(*) AS count, sum(amount_cents - reversed_cents)::bigint AS amount_cents,
      coalesce(sum(amount_cents - reversed_cents - disputed_cents) FILTER (WHERE in_payout), 0)::bigint AS in_payout_cents,
      sum(disputed_cents)::bigint AS disputed_cents
    FROM (${commissionsOf(filter)}) commission GROUP BY state, currency ORDER BY state, currency`.execute(db)
  return rows
}
