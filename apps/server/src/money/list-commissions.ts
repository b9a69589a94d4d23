import type { CommissionState } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Page } from '../database/pages.ts'

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
  id?: number
  beforeId?: number
}

/** The state of a commission is not stored anywhere: it follows from the ledger, the payouts, the reviews and the clock. */
const commissionsOf = ({ programId, at, partnerId, id, beforeId }: Filter): RawBuilder<CommissionRow> => sql`
  SELECT commission.id, kind, commission.partner_id, sale_id, lead_id, commission.amount_cents, commission.currency, earned_at,
    payable_at, terms_version, reversed.cents AS reversed_cents, review.reason AS review_reason,
    CASE
      WHEN reversed.cents >= commission.amount_cents THEN 'reversed'
      WHEN review.commission_id IS NOT NULL AND review.decision IS NULL THEN 'review'
      WHEN paid.found THEN 'paid'
      WHEN disputed.cents > 0 OR payable_at > ${at} THEN 'held'
      ELSE 'payable'
    END AS state
  FROM commissions commission
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM ledger_lines line
    WHERE line.program_id = commission.program_id AND line.commission_id = commission.id AND to_account = 'program') reversed
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE WHEN to_account = 'disputed' THEN amount_cents ELSE -amount_cents END), 0)::bigint AS cents FROM ledger_lines line
    WHERE line.program_id = commission.program_id AND line.commission_id = commission.id AND 'disputed' IN (to_account, from_account)) disputed
  CROSS JOIN LATERAL (
    SELECT EXISTS (
      SELECT FROM payout_commissions JOIN payout_lines line ON line.program_id = payout_commissions.program_id AND line.id = payout_line_id
      WHERE payout_commissions.program_id = commission.program_id AND commission_id = commission.id AND line.status = 'paid') AS found) paid
  LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
  WHERE commission.program_id = ${programId}
    ${partnerId === undefined ? sql`` : sql`AND commission.partner_id = ${partnerId}`}
    ${id === undefined ? sql`` : sql`AND commission.id = ${id}`}
    ${beforeId === undefined ? sql`` : sql`AND commission.id < ${beforeId}`}`

const stateFilter = (state: CommissionState | undefined) => (state ? sql`WHERE state = ${state}` : sql``)

export const listCommissions = async (db: Database, { page, pageSize, ...filter }: Filter & Page) => {
  const from = sql`(${commissionsOf(filter)}) commission ${stateFilter(filter.state)}`
  const [list, counted] = await Promise.all([
    sql<CommissionRow>`SELECT * FROM ${from} ORDER BY id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(
      db,
    ),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${from}`.execute(db),
  ])
  return { rows: list.rows, total: counted.rows[0]?.total ?? 0 }
}

/** The next so many, newest first, for a file of all. */
export const nextCommissions = async (db: Database, { limit, ...filter }: Filter & { limit: number }) =>
  (
    await sql<CommissionRow>`SELECT * FROM (${commissionsOf(filter)}) commission ${stateFilter(filter.state)} ORDER BY id DESC LIMIT ${limit}`.execute(
      db,
    )
  ).rows

/** What is left of all commissions of a program, by state and currency. */
export const commissionTotals = async (db: Database, filter: Filter) => {
  const { rows } = await sql<{ state: CommissionState; currency: string; count: number; amountCents: number }>`
    SELECT state, currency, count(*) AS count, sum(amount_cents - reversed_cents)::bigint AS amount_cents
    FROM (${commissionsOf(filter)}) commission GROUP BY state, currency ORDER BY state, currency`.execute(db)
  return rows
}
