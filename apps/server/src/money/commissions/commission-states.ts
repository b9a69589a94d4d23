import type { AdjustmentType, CommissionKind, CommissionState, PartnerStatus } from '@tributary/contract'
import { type RawBuilder, sql } from 'kysely'
import { isUndone, selectActiveVoids } from '../../database/sql/active-void.ts'
import { anyOf } from '../../database/sql/columns.ts'
import { groupAt } from '../../database/sql/group-at.ts'
import { type CommissionTerm, commissionsWith } from '../../database/sql/search.ts'
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
  heldForApproval: boolean
  partnerStatus: PartnerStatus
  voidReason: string | null
  /** A member added it, or credited its sale. */
  byHand: boolean
  /** The adjustment that created it, voided it or gave its sale to another partner. */
  adjustment: { id: number; type: AdjustmentType; reason: string; reversed: boolean } | null
}

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

/** The part of a commission in payout lines of this status; negative when they net a reversal made after payment. */
function centsInLines(status: 'paid' | 'open') {
  return sql`coalesce(sum(CASE WHEN line.to_account = 'earned' THEN line.amount_cents WHEN line.from_account IN ('earned', 'batched') THEN -line.amount_cents END)
    FILTER (WHERE coalesce(own.status, CASE WHEN line.id < first.reserved_by THEN first.status ELSE later.status END) = ${status}), 0)::bigint`
}

/** Totals over the ledger lines of one commission. */
const LEDGER_TOTALS = sql`
  ${promisedCents} AS promised_cents, ${centsIn('disputed')} AS disputed_cents,
  ${centsInLines('paid')} + coalesce(sum(line.amount_cents) FILTER (WHERE line.to_account = 'paid'), 0)::bigint AS paid_cents,
  ${centsInLines('open')} AS in_payout_cents`

/**
 * Joins each ledger line to the payout line that settles it. A payout takes the whole balance, so once a payout line has listed a
 * commission, later changes to it belong to the partner's next payout line. An amount removed from a payout line belongs to that line.
 */
const withPayoutLines = (first: RawBuilder<unknown>) => sql`
  ledger_lines line
  LEFT JOIN (${first}) first ON first.commission_id = line.commission_id
  LEFT JOIN payout_commissions listed ON listed.program_id = line.program_id AND listed.commission_id = line.commission_id
    AND listed.payout_line_id = line.payout_line_id AND line.from_account = 'batched'
  LEFT JOIN payout_lines own ON own.program_id = listed.program_id AND own.id = listed.payout_line_id AND own.status <> 'failed'
  LEFT JOIN LATERAL (
    SELECT payout_line.status FROM ledger_lines reserved
    JOIN payout_lines payout_line ON payout_line.program_id = reserved.program_id AND payout_line.id = reserved.payout_line_id AND payout_line.status <> 'failed'
    -- Few commissions change after a payout has listed them.
    WHERE line.id > first.reserved_by AND reserved.id > line.id AND reserved.program_id = line.program_id
      AND reserved.partner_id = line.partner_id AND reserved.currency = line.currency
      AND reserved.from_account = 'earned' AND reserved.to_account = 'batched'
    ORDER BY reserved.id LIMIT 1) later ON true`

/** The first payout line that lists a commission and has not failed, with the ledger line that reserved its amount. */
const firstPayoutLine = (which: RawBuilder<unknown>) => sql`
  SELECT DISTINCT ON (listed.commission_id) listed.commission_id, payout_line.status, reserved.id AS reserved_by
  FROM payout_commissions listed
  JOIN payout_lines payout_line ON payout_line.program_id = listed.program_id AND payout_line.id = listed.payout_line_id AND payout_line.status <> 'failed'
  JOIN ledger_lines reserved ON reserved.program_id = payout_line.program_id AND reserved.payout_line_id = payout_line.id
    AND reserved.from_account = 'earned' AND reserved.to_account = 'batched'
  WHERE ${which} ORDER BY listed.commission_id, reserved.id`

/** Totals looked up per commission: fast for one page. */
const TOTALS_PER_COMMISSION = sql`
  CROSS JOIN LATERAL (
    SELECT ${LEDGER_TOTALS} FROM ${withPayoutLines(
      firstPayoutLine(sql`listed.program_id = commission.program_id AND listed.commission_id = commission.id`),
    )}
    WHERE line.program_id = commission.program_id AND line.commission_id = commission.id) moved`

/** Totals of a whole program, reading each table once: five times faster for 250,000 commissions (docs/decisions/0020). */
const totalsOfProgram = (programId: number) => sql`
  -- An inner join is enough: every commission has at least the ledger line that created it.
  JOIN (
    SELECT line.commission_id, ${LEDGER_TOTALS} FROM ${withPayoutLines(firstPayoutLine(sql`listed.program_id = ${programId}`))}
    WHERE line.program_id = ${programId} AND line.commission_id IS NOT NULL
    GROUP BY line.commission_id) moved ON moved.commission_id = commission.id`

/** Commissions of unapproved partners are held. This reads the current status, so approval releases them without a job. */
const stateAt = (at: Date) => sql`CASE
      WHEN promised_cents <= 0 THEN 'reversed'
      WHEN review.commission_id IS NOT NULL AND review.decision IS NULL THEN 'review'
      WHEN paid_cents >= promised_cents THEN 'paid'
      WHEN disputed_cents > 0 OR commission.payable_at > ${at} OR partner.status <> 'approved' THEN 'held'
      ELSE 'payable'
    END`

/** Whose sales are by decision of a member: sale_id, id, type, reason. Members make few, so they are read once and joined. */
const activeCredits = (programId: number) => sql`
  SELECT DISTINCT ON (1) coalesce(named.merged_into, named.id) AS sale_id, assigned.id, assigned.type, assigned.reason
  FROM adjustments assigned JOIN sales named ON named.program_id = ${programId} AND named.id = assigned.sale_id
  WHERE assigned.program_id = ${programId} AND assigned.type IN ('credit', 'move') AND NOT ${isUndone('assigned')}
  -- The first one took the sale from the partner whom the rules credit.
  ORDER BY 1, assigned.id`

const described = (adjustment: string, reversed: RawBuilder<unknown>) =>
  sql`jsonb_build_object('id', ${sql.ref(`${adjustment}.id`)}, 'type', ${sql.ref(`${adjustment}.type`)},
    'reason', ${sql.ref(`${adjustment}.reason`)}, 'reversed', ${reversed})`

/** A commission's state is never stored: it is derived from the ledger, payouts, reviews, the partner's status and the clock. */
export const selectCommissions = (
  filter: Filter,
  from = matchingCommissions(filter),
  totals = TOTALS_PER_COMMISSION,
): RawBuilder<CommissionRow> => sql`
  SELECT commission.id, CASE kind WHEN 'credited' THEN 'sale' ELSE kind END AS kind, commission.partner_id,
    coalesce(commission.sale_id, CASE WHEN own.type IN ('credit', 'move') THEN coalesce(named.merged_into, own.sale_id) END) AS sale_id,
    lead_id, commission.amount_cents, commission.currency, earned_at, commission.payable_at, terms_version,
    commission.amount_cents - promised_cents AS reversed_cents, disputed_cents,
    CASE WHEN voided.id IS NOT NULL THEN 'voided' ELSE review.reason END AS review_reason,
    CASE WHEN voided.id IS NOT NULL THEN ARRAY['voided'] WHEN review.commission_id IS NULL THEN '{}'
      ELSE review.reason || review.further_reasons END AS review_reasons,
    voided.reason AS void_reason, own.id IS NOT NULL AS by_hand,
    CASE WHEN voided.id IS NOT NULL THEN ${described('voided', sql`false`)}
      WHEN own.id IS NOT NULL THEN ${described('own', isUndone('own'))}
      WHEN moved_to.id IS NOT NULL THEN ${described('moved_to', sql`false`)} END AS adjustment,
    ${stateAt(filter.at)} AS state, partner.status <> 'approved' AND ${stateAt(filter.at)} = 'held' AS held_for_approval, partner.status AS partner_status,
    paid_cents, in_payout_cents, in_payout_cents > 0 AND promised_cents > 0 AS in_payout
  FROM (${from}) commission ${totals}
  JOIN partners partner ON partner.program_id = commission.program_id AND partner.id = commission.partner_id
  LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
  LEFT JOIN adjustments own ON own.program_id = commission.program_id AND own.id = commission.adjustment_id
  LEFT JOIN sales named ON named.program_id = own.program_id AND named.id = own.sale_id
  LEFT JOIN (${selectActiveVoids(filter.programId)}) voided ON voided.held_id = commission.id
  LEFT JOIN (${activeCredits(filter.programId)}) moved_to ON moved_to.sale_id = commission.sale_id`

/** For queries that need the state of every commission. One partner has few, so those are looked up individually. */
export const selectAllCommissions = (filter: Filter) =>
  filter.partnerId === undefined
    ? selectCommissions(filter, matchingCommissions(filter), totalsOfProgram(filter.programId))
    : selectCommissions(filter)

const GROUP_OF_COMMISSION = groupAt({
  programId: sql`commissions.program_id`,
  partnerId: sql`commissions.partner_id`,
  at: sql`commissions.earned_at`,
})

export const matchingCommissions = ({ programId, partnerId, groupId, id, ids, beforeId, search }: Filter) => sql`
  SELECT * FROM commissions WHERE program_id = ${programId}
    ${partnerId === undefined ? sql`` : sql`AND partner_id = ${partnerId}`}
    ${groupId === undefined ? sql`` : sql`AND ${GROUP_OF_COMMISSION} = ${groupId}`}
    ${id === undefined ? sql`` : sql`AND id = ${id}`}
    ${ids === undefined ? sql`` : sql`AND id = ${anyOf(ids)}`}
    ${beforeId === undefined ? sql`` : sql`AND id < ${beforeId}`}
    ${search === undefined ? sql`` : sql`AND id IN ${commissionsWith(programId, search)}`}`

/** The reversed part of the commission aliased `earned`. */
export const REVERSED_CENTS = sql<number>`(
  SELECT earned.amount_cents - (${promisedCents})
  FROM ledger_lines line
  WHERE line.program_id = earned.program_id AND line.commission_id = earned.id AND 'program' IN (from_account, to_account))`
