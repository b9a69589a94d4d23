import type { CommissionState } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../database/any-of.ts'
import { VOIDED } from './reviews.ts'

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
  reviewReasons: string[]
  heldForApproval: boolean
  voidReason: string | null
}

export type Filter = {
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

/** Of some lines of the ledger: what is promised of a commission, and how much of it is in dispute. */
const MOVED = sql`
  coalesce(sum(CASE WHEN line.from_account = 'program' THEN line.amount_cents WHEN line.to_account = 'program' THEN -line.amount_cents END), 0)::bigint AS promised_cents,
  coalesce(sum(CASE WHEN line.to_account = 'disputed' THEN line.amount_cents WHEN line.from_account = 'disputed' THEN -line.amount_cents END), 0)::bigint AS disputed_cents`

const LISTED = sql`bool_or(line.status = 'paid') AS paid, bool_or(line.status = 'open') AS open
  FROM payout_commissions JOIN payout_lines line ON line.program_id = payout_commissions.program_id AND line.id = payout_commissions.payout_line_id`

/** What became of commissions, looked up for each: right for a page of them. */
const ONE_BY_ONE = sql`
  CROSS JOIN LATERAL (
    SELECT ${MOVED} FROM ledger_lines line
    WHERE line.program_id = commission.program_id AND line.commission_id = commission.id) moved
  CROSS JOIN LATERAL (
    SELECT ${LISTED} WHERE payout_commissions.program_id = commission.program_id AND payout_commissions.commission_id = commission.id) listed`

/** The same for all of a program, each table read once: a fifth of the time where there are a quarter of a million (docs/decisions/0020). */
const allAtOnce = (programId: number) => sql`
  -- Every commission has the line that promised it.
  JOIN (
    SELECT line.commission_id, ${MOVED} FROM ledger_lines line WHERE line.program_id = ${programId} AND line.commission_id IS NOT NULL
    GROUP BY commission_id) moved ON moved.commission_id = commission.id
  LEFT JOIN (
    SELECT commission_id, ${LISTED} WHERE payout_commissions.program_id = ${programId}
    GROUP BY commission_id) listed ON listed.commission_id = commission.id`

/** What a partner has who is not approved is held until they are. That follows from their status now, so no job releases it. */
const stateAt = (at: Date) => sql`CASE
      WHEN promised_cents <= 0 THEN 'reversed'
      WHEN review.commission_id IS NOT NULL AND review.decision IS NULL THEN 'review'
      WHEN listed.paid THEN 'paid'
      WHEN disputed_cents > 0 OR payable_at > ${at} OR partner.status <> 'approved' THEN 'held'
      ELSE 'payable'
    END`

/** The state of a commission is not stored anywhere: it follows from the ledger, the payouts, the reviews, the partner and the clock. */
export const commissionsOf = (
  filter: Filter,
  from = matching(filter),
  became = ONE_BY_ONE,
): RawBuilder<CommissionRow> => sql`
  SELECT commission.id, kind, commission.partner_id, sale_id, lead_id, commission.amount_cents, commission.currency, earned_at,
    payable_at, terms_version, commission.amount_cents - promised_cents AS reversed_cents, disputed_cents, review.reason AS review_reason,
    CASE WHEN review.commission_id IS NULL THEN '{}' ELSE review.reason || review.further_reasons END AS review_reasons,
    CASE WHEN review.reason = ${VOIDED} THEN review.decision_note END AS void_reason,
    ${stateAt(filter.at)} AS state, partner.status <> 'approved' AND ${stateAt(filter.at)} = 'held' AS held_for_approval,
    -- The line still lists one of which nothing is left, and pays nothing for it.
    listed.open IS TRUE AND promised_cents > 0 AS in_payout
  FROM (${from}) commission ${became}
  JOIN partners partner ON partner.program_id = commission.program_id AND partner.id = commission.partner_id
  LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id`

/** Where every one has to be looked at. Those of one partner are few of them all. */
export const everyCommissionOf = (filter: Filter) =>
  filter.partnerId === undefined
    ? commissionsOf(filter, matching(filter), allAtOnce(filter.programId))
    : commissionsOf(filter)

export const matching = ({ programId, partnerId, id, ids, beforeId }: Filter) => sql`
  SELECT * FROM commissions WHERE program_id = ${programId}
    ${partnerId === undefined ? sql`` : sql`AND partner_id = ${partnerId}`}
    ${id === undefined ? sql`` : sql`AND id = ${id}`}
    ${ids === undefined ? sql`` : sql`AND id = ${anyOf(ids)}`}
    ${beforeId === undefined ? sql`` : sql`AND id < ${beforeId}`}`

/** What of the commission `earned` was taken back for good. */
export const REVERSED = sql<number>`(
  SELECT earned.amount_cents
    - coalesce(sum(CASE WHEN from_account = 'program' THEN line.amount_cents ELSE -line.amount_cents END), 0)::bigint
  FROM ledger_lines line
  WHERE line.program_id = earned.program_id AND line.commission_id = earned.id AND 'program' IN (from_account, to_account))`
