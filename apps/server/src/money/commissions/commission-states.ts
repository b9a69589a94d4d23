import type { CommissionState } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../database/sql/any-of.ts'
import { VOIDED } from '../reviews/reviews.ts'

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
  /** More than is left of it: the rest was taken back after it was paid, and is a debt until a payout nets it. */
  paidCents: number
  inPayout: boolean
  /** Below zero: an open payout nets what was taken back. */
  inPayoutCents: number
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

/** What payout lines of a status have taken of a commission; below zero where they net what was taken back after it was paid. */
function takenBy(status: 'paid' | 'open') {
  return sql`coalesce(sum(CASE WHEN line.to_account = 'earned' THEN line.amount_cents WHEN line.from_account IN ('earned', 'batched') THEN -line.amount_cents END)
    FILTER (WHERE coalesce(own.status, CASE WHEN line.id < first.reserved_by THEN first.status ELSE later.status END) = ${status}), 0)::bigint`
}

/** Of the lines of a commission: what is promised of it, how much is in dispute, and what payouts have paid or are to pay of it. */
const MOVED = sql`
  coalesce(sum(CASE WHEN line.from_account = 'program' THEN line.amount_cents WHEN line.to_account = 'program' THEN -line.amount_cents END), 0)::bigint AS promised_cents,
  coalesce(sum(CASE WHEN line.to_account = 'disputed' THEN line.amount_cents WHEN line.from_account = 'disputed' THEN -line.amount_cents END), 0)::bigint AS disputed_cents,
  ${takenBy('paid')} + coalesce(sum(line.amount_cents) FILTER (WHERE line.to_account = 'paid'), 0)::bigint AS paid_cents,
  ${takenBy('open')} AS in_payout_cents`

/**
 * A payout takes the whole balance, what was added to its commissions and what was taken from them. So what moved a commission in the
 * balance is part of the next payout line after it, once a line has listed the commission. What was taken out of a line is part of that line.
 */
const withTakers = (first: RawBuilder<unknown>) => sql`
  ledger_lines line
  LEFT JOIN (${first}) first ON first.commission_id = line.commission_id
  LEFT JOIN payout_commissions listed ON listed.program_id = line.program_id AND listed.commission_id = line.commission_id
    AND listed.payout_line_id = line.payout_line_id AND line.from_account = 'batched'
  LEFT JOIN payout_lines own ON own.program_id = listed.program_id AND own.id = listed.payout_line_id AND own.status <> 'failed'
  LEFT JOIN LATERAL (
    SELECT taker.status FROM ledger_lines reserved
    JOIN payout_lines taker ON taker.program_id = reserved.program_id AND taker.id = reserved.payout_line_id AND taker.status <> 'failed'
    -- Few are moved after they were listed.
    WHERE line.id > first.reserved_by AND reserved.id > line.id AND reserved.program_id = line.program_id
      AND reserved.partner_id = line.partner_id AND reserved.currency = line.currency
      AND reserved.from_account = 'earned' AND reserved.to_account = 'batched'
    ORDER BY reserved.id LIMIT 1) later ON true`

/** The first payout line that has listed a commission and did not fail, and the line of the ledger that reserved for it. */
const firstListed = (which: RawBuilder<unknown>) => sql`
  SELECT DISTINCT ON (listed.commission_id) listed.commission_id, taker.status, reserved.id AS reserved_by
  FROM payout_commissions listed
  JOIN payout_lines taker ON taker.program_id = listed.program_id AND taker.id = listed.payout_line_id AND taker.status <> 'failed'
  JOIN ledger_lines reserved ON reserved.program_id = taker.program_id AND reserved.payout_line_id = taker.id
    AND reserved.from_account = 'earned' AND reserved.to_account = 'batched'
  WHERE ${which} ORDER BY listed.commission_id, reserved.id`

/** What became of commissions, looked up for each: right for a page of them. */
const ONE_BY_ONE = sql`
  CROSS JOIN LATERAL (
    SELECT ${MOVED} FROM ${withTakers(
      firstListed(sql`listed.program_id = commission.program_id AND listed.commission_id = commission.id`),
    )}
    WHERE line.program_id = commission.program_id AND line.commission_id = commission.id) moved`

/** The same for all of a program, each table read once: a fifth of the time where there are a quarter of a million (docs/decisions/0020). */
const allAtOnce = (programId: number) => sql`
  -- Every commission has the line that promised it.
  JOIN (
    SELECT line.commission_id, ${MOVED} FROM ${withTakers(firstListed(sql`listed.program_id = ${programId}`))}
    WHERE line.program_id = ${programId} AND line.commission_id IS NOT NULL
    GROUP BY line.commission_id) moved ON moved.commission_id = commission.id`

/** What a partner has who is not approved is held until they are. That follows from their status now, so no job releases it. */
const stateAt = (at: Date) => sql`CASE
      WHEN promised_cents <= 0 THEN 'reversed'
      WHEN review.commission_id IS NOT NULL AND review.decision IS NULL THEN 'review'
      WHEN paid_cents >= promised_cents THEN 'paid'
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
    paid_cents, in_payout_cents, in_payout_cents > 0 AND promised_cents > 0 AS in_payout
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
