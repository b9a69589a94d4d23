import type {
  AdjustmentType,
  CommissionKind,
  CommissionState,
  PartnerStatus,
  SelfReferralMatch,
} from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import { isUndone, selectActiveVoids } from '../../database/sql/active-void.ts'
import { centsIn, promisedCents } from '../ledger/ledger.ts'

export type CommissionRow = {
  id: number
  kind: CommissionKind
  partnerId: number
  saleId: number | null
  leadId: number | null
  amountCents: number
  reversedCents: number
  currency: string
  state: CommissionState
  /** Can exceed the remaining amount: a reversal after payment is the partner's debt until a later payout nets it. */
  paidCents: number
  inPayout: boolean
  /** Negative when an open payout nets a reversal. */
  inPayoutCents: number
  disputedCents: number
  earnedAt: Date
  payableAt: Date
  termsVersion: number | null
  reviewReason: string | null
  reviewReasons: string[]
  selfReferralMatches: SelfReferralMatch[]
  heldForApproval: boolean
  partnerStatus: PartnerStatus
  voidReason: string | null
  /** A member added it, or credited its sale. */
  byHand: boolean
  /** The adjustment that created it, voided it or gave its sale to another partner. */
  adjustment: { id: number; type: AdjustmentType; reason: string; reversed: boolean } | null
}

const ITS_LINE = sql`payout_line.program_id = line.program_id AND payout_line.id = line.payout_line_id`
/** How to find the payout line of a move: for each move, or joined with all moves of a program. */
const LOOKED_UP = { status: sql`(SELECT status FROM payout_lines payout_line WHERE ${ITS_LINE})`, join: sql`` }
const JOINED = { status: sql`payout_line.status`, join: sql`LEFT JOIN payout_lines payout_line ON ${ITS_LINE}` }

/**
 * The ledger lines of commissions, and what payout lines took from each when they reserved it. What a failed payout line took is in the
 * balance again, so every other change belongs to no payout until one takes it.
 */
const selectMoves = (which: RawBuilder<unknown>, { status, join }: typeof JOINED) => sql`
  SELECT line.commission_id, line.from_account, line.to_account, line.amount_cents,
    CASE WHEN line.from_account = 'batched' THEN ${status} END AS status
  FROM ledger_lines line ${join} WHERE ${which}
  UNION ALL
  SELECT line.commission_id, 'earned', 'batched', line.amount_cents, ${status} FROM payout_statement_items line ${join} WHERE ${which}`

/** The part of a commission in payout lines of this status; negative when they net a reversal made after payment. */
const centsInLines = (status: 'paid' | 'open') => sql`
  coalesce(sum(CASE 'batched' WHEN line.to_account THEN line.amount_cents WHEN line.from_account THEN -line.amount_cents END)
    FILTER (WHERE line.status = ${status}), 0)::bigint`

/** Totals over the moves of one commission. */
const TOTALS = sql`
  ${promisedCents} AS promised_cents, ${centsIn('disputed')} AS disputed_cents,
  ${centsInLines('paid')} + coalesce(sum(line.amount_cents) FILTER (WHERE line.to_account = 'paid'), 0)::bigint AS paid_cents,
  ${centsInLines('open')} AS in_payout_cents`

/** Totals looked up per commission: fast for one page. */
export const withTotals = (commissions: RawBuilder<unknown>) => sql`
  (${commissions}) commission
  CROSS JOIN LATERAL (
    SELECT ${TOTALS} FROM (
      ${selectMoves(sql`line.program_id = commission.program_id AND line.commission_id = commission.id`, LOOKED_UP)}) line) moved`

/** Totals of a whole program, reading each table once: five times faster for 250,000 commissions (docs/decisions/0020). */
export const withTotalsOfProgram = (programId: number, commissions: RawBuilder<unknown>) => sql`
  (SELECT line.commission_id, ${TOTALS}
    FROM (${selectMoves(sql`line.program_id = ${programId} AND line.commission_id IS NOT NULL`, JOINED)}) line
    GROUP BY line.commission_id) moved
  JOIN (${commissions}) commission ON commission.id = moved.commission_id`

/** Commissions of unapproved partners are held. This reads the current status, so approval releases them without a job. */
export const isHeldAt = (at: Date) => sql`commission.payable_at > ${at} OR partner.status <> 'approved'`

/** `isHeld`: whether the commission is not payable yet, unless a dispute holds it anyway. */
const stateIf = (isHeld: RawBuilder<unknown>) => sql`CASE
      WHEN promised_cents <= 0 THEN 'reversed'
      WHEN review.commission_id IS NOT NULL AND review.decision IS NULL THEN 'review'
      WHEN paid_cents >= promised_cents THEN 'paid'
      WHEN disputed_cents > 0 OR ${isHeld} THEN 'held'
      ELSE 'payable'
    END`

/** SQL fragment: the sale of the adjustment with this alias, or the one it was merged into. */
const saleOf = (adjustment: string) => sql`(
  SELECT coalesce(named.merged_into, named.id) FROM sales named
  WHERE named.program_id = ${sql.ref(`${adjustment}.program_id`)} AND named.id = ${sql.ref(`${adjustment}.sale_id`)})`

/** Whose sales are by decision of a member: sale_id, id, type, reason. Members make few, so they are read once and joined. */
const activeCredits = (programId: number) => sql`
  SELECT DISTINCT ON (1) ${saleOf('assigned')} AS sale_id, assigned.id, assigned.type, assigned.reason
  FROM adjustments assigned
  WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move') AND NOT ${isUndone('assigned')}
  -- The first one took the sale from the partner whom the rules credit.
  ORDER BY 1, assigned.id`

const described = (adjustment: string, reversed: RawBuilder<unknown>) =>
  sql`jsonb_build_object('id', ${sql.ref(`${adjustment}.id`)}, 'type', ${sql.ref(`${adjustment}.type`)},
    'reason', ${sql.ref(`${adjustment}.reason`)}, 'reversed', ${reversed})`

type Selection = {
  programId: number
  /** Commissions with their totals. */
  from: RawBuilder<unknown>
  isHeld: RawBuilder<unknown>
}

/**
 * A commission's state is never stored: it is derived here from the ledger, payouts, reviews, the partner's status and the clock. Joins
 * what members decided in the whole program, so use `readHashed`.
 */
export const describeCommissions = ({ programId, from, isHeld }: Selection): RawBuilder<CommissionRow> => sql`
  SELECT commission.id, CASE kind WHEN 'credited' THEN 'sale' ELSE kind END AS kind, commission.partner_id,
    coalesce(commission.sale_id, CASE WHEN own.type IN ('credit', 'move') THEN ${saleOf('own')} END) AS sale_id,
    lead_id, commission.amount_cents, commission.currency, earned_at, commission.payable_at, terms_version,
    commission.amount_cents - promised_cents AS reversed_cents, disputed_cents,
    CASE WHEN voided.id IS NOT NULL THEN 'voided' ELSE review.reason END AS review_reason,
    CASE WHEN voided.id IS NOT NULL THEN ARRAY['voided'] WHEN review.commission_id IS NULL THEN '{}'
      ELSE review.reason || review.further_reasons END AS review_reasons, coalesce(review.matches, '{}') AS self_referral_matches,
    voided.reason AS void_reason, own.id IS NOT NULL AS by_hand,
    CASE WHEN voided.id IS NOT NULL THEN ${described('voided', sql`false`)}
      WHEN own.id IS NOT NULL THEN ${described('own', isUndone('own'))}
      WHEN moved_to.id IS NOT NULL THEN ${described('moved_to', sql`false`)} END AS adjustment,
    ${stateIf(isHeld)} AS state, partner.status <> 'approved' AND ${stateIf(isHeld)} = 'held' AS held_for_approval, partner.status AS partner_status,
    paid_cents, in_payout_cents, in_payout_cents > 0 AND promised_cents > 0 AS in_payout
  FROM ${from}
  JOIN partners partner ON partner.program_id = commission.program_id AND partner.id = commission.partner_id
  LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
  LEFT JOIN adjustments own ON own.program_id = commission.program_id AND own.id = commission.adjustment_id
  LEFT JOIN (${selectActiveVoids(programId)}) voided ON voided.held_id = commission.id
  LEFT JOIN (${activeCredits(programId)}) moved_to ON moved_to.sale_id = commission.sale_id`

/** The reversed part of the commission aliased `earned`. */
export const REVERSED_CENTS = sql<number>`(
  SELECT earned.amount_cents - (${promisedCents})
  FROM ledger_lines line
  WHERE line.program_id = earned.program_id AND line.commission_id = earned.id AND 'program' IN (from_account, to_account))`
