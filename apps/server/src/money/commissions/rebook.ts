import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { append, CORRECTION_CAUSE } from '../ledger/ledger.ts'
import { RESERVED_BY_LINE } from '../payouts/find-payout-lines.ts'
import { closeEmptyLine } from '../payouts/payout-lines.ts'
import { leaveOpenLine } from '../payouts/payouts.ts'
import { correctCommissionRow } from './commissions.ts'
import { disputedCents } from './disputes.ts'
import { type Booked, type Move, movesBetween } from './moves.ts'
import { refundedOf } from './refunds.ts'
import { inBalance, type SaleTold, type Standing, standingOf } from './standing.ts'

/** What an event earned, and when that is payable. It changes when the event turns out otherwise than it was first told. */
export type Earning = { amountCents: number; termsVersion: number; earnedAt: Date; payableAt: Date }

/** Why a commission is looked at again: what the lines of the ledger say. */
export type Cause =
  | { kind: 'refund'; refundId?: number }
  | { kind: 'dispute' }
  | { kind: 'review'; word: 'review: released' | 'review: rejected' | 'voided' }
  | { kind: 'correction'; word: string }

type Rebooking = {
  programId: number
  commissionId: number
  cause: Cause
  /** What it earns from here on; as before where nothing is said. */
  earning?: Earning
  at: Date
}

/** A commission with all that decides where it stands, and where it stood before and after. */
export type Rebooked = Loaded & { before: Standing; after: Standing }

/**
 * Brings a commission to where it should stand now, whatever has changed: one function for refunds, disputes, reviews, voids and
 * corrections. Called again, it does nothing. Null where there is no such commission.
 */
export const rebook = async (tx: Tx, rebooking: Rebooking): Promise<Rebooked | null> => {
  const { programId, commissionId, cause, earning, at } = rebooking
  await lockAccountOf(tx, { programId, commissionId })
  const loaded = await loadCommission(tx, { programId, commissionId })
  if (!loaded) return null
  const earned = { ...loaded, ...earning }
  const after = standingOf(earned)
  const moves = movesBetween(loaded.booked, { ...after, payableAt: earned.payableAt })
  if (earning) await correctCommissionRow(tx, { programId, id: commissionId, ...earning })
  await book(tx, { programId, loaded, moves, cause, at })
  await tidyOpenLines(tx, { programId, loaded, moves, after, at })
  return { ...earned, before: loaded.booked, after }
}

type Key = { programId: number; commissionId: number }

/** Whoever takes out of a balance locks the account first, and reads after that: two who come at once cannot take the same money. */
export const lockAccountOf = (tx: Tx, { programId, commissionId }: Key) =>
  sql`
    SELECT FROM commissions commission JOIN partner_accounts account ON account.program_id = commission.program_id
      AND account.partner_id = commission.partner_id AND account.currency = commission.currency
    WHERE commission.program_id = ${programId} AND commission.id = ${commissionId}
    FOR UPDATE OF account`.execute(tx)

type Row = Earning & {
  commissionId: number
  saleId: number | null
  leadId: number | null
  partnerId: number
  currency: string
  saleCents: number | null
  refundedCents: number
  openCents: number
  lostCents: number
  isMerged: boolean
  isReviewed: boolean
  decision: 'released' | 'rejected' | null
  promised: number
  disputed: number
  review: number
  wasPaid: boolean
  hasMetPayout: boolean
  openLines: Booked['openLines']
}

type Loaded = Awaited<ReturnType<typeof loadCommission>> & object

/** All that decides where a commission stands, and where it stands by the ledger, in one statement. */
const loadCommission = async (tx: Tx, { programId, commissionId }: Key) => {
  const { rows } = await sql<Row>`
    SELECT commission.id AS commission_id, commission.sale_id, commission.lead_id, commission.partner_id, commission.currency,
      commission.amount_cents, commission.terms_version, commission.earned_at, commission.payable_at,
      sale.amount_cents AS sale_cents, coalesce(${refundedOf('sale')}, 0) AS refunded_cents, dispute.*,
      sale.voided_at IS NOT NULL AS is_merged, review.commission_id IS NOT NULL AS is_reviewed, review.decision, ledger.*, payout.*
    FROM commissions commission
    LEFT JOIN sales sale ON sale.program_id = commission.program_id AND sale.id = commission.sale_id
    LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
    CROSS JOIN LATERAL (
      SELECT coalesce(${disputedCents('open')}, 0) AS open_cents, coalesce(${disputedCents('lost')}, 0) AS lost_cents
      FROM disputes dispute WHERE dispute.program_id = commission.program_id AND dispute.sale_id = commission.sale_id) dispute
    CROSS JOIN LATERAL (
      SELECT ${sumIn('program', -1)} AS promised, ${sumIn('disputed', 1)} AS disputed, ${sumIn('review', 1)} AS review,
        coalesce(bool_or('batched' IN (from_account, to_account)), false) AS was_batched
      FROM ledger_lines WHERE program_id = commission.program_id AND commission_id = commission.id) ledger
    CROSS JOIN LATERAL (
      SELECT coalesce(bool_or(line.status = 'paid'), false) AS was_paid,
        coalesce(bool_or(line.status <> 'failed'), false) OR ledger.was_batched AS has_met_payout,
        coalesce(jsonb_agg(jsonb_build_object('id', line.id, 'cents', (${RESERVED_BY_LINE})) ORDER BY line.id DESC)
          FILTER (WHERE line.status = 'open'), '[]') AS open_lines
      FROM payout_commissions listed
      JOIN payout_lines line ON line.program_id = listed.program_id AND line.id = listed.payout_line_id
      WHERE listed.program_id = commission.program_id AND listed.commission_id = commission.id) payout
    WHERE commission.program_id = ${programId} AND commission.id = ${commissionId}`.execute(tx)
  const [row] = rows
  return row ? factsOf(row) : null
}

const sumIn = (account: 'program' | 'disputed' | 'review', sign: 1 | -1) =>
  sql.raw(
    `coalesce(${sign} * sum(CASE '${account}' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents END), 0)::bigint`,
  )

const factsOf = ({ promised, disputed, review, openLines, isReviewed, decision, ...row }: Row) => ({
  ...row,
  sale: row.saleCents === null ? null : (row as SaleTold),
  review: isReviewed ? (decision ?? ('open' as const)) : ('none' as const),
  booked: { promised, disputed, review, payableAt: row.payableAt, openLines },
})

type Booking = { programId: number; loaded: Loaded; moves: Move[]; cause: Cause; at: Date }

const book = (tx: Tx, { programId, loaded, moves, cause, at }: Booking) => {
  const { commissionId, partnerId, currency } = loaded
  const refundId = cause.kind === 'refund' ? cause.refundId : undefined
  const lines = moves.map((move) => ({
    ...move,
    ...{ partnerId, currency, commissionId, cause: wordOf(move, cause) },
    refundId: move.toAccount === 'program' ? refundId : undefined,
  }))
  return append(tx, { programId, at, lines })
}

const wordOf = ({ fromAccount, toAccount }: Move, cause: Cause) => {
  const isDispute = cause.kind === 'dispute'
  if (fromAccount === 'program' && cause.kind === 'refund') return CORRECTION_CAUSE.refund
  if (fromAccount === 'program' && isDispute) return CORRECTION_CAUSE.dispute
  if (fromAccount !== 'program' && toAccount === 'disputed')
    return isDispute ? 'dispute opened' : CORRECTION_CAUSE.dispute
  if (fromAccount === 'disputed' && toAccount !== 'program') return isDispute ? 'dispute won' : CORRECTION_CAUSE.dispute
  if (isDispute) return 'dispute lost'
  return cause.kind === 'refund' ? 'refund' : cause.word
}

type Tidying = { programId: number; loaded: Loaded; moves: Move[]; after: Standing; at: Date }

/**
 * A payout line from which everything was taken, and which is in no file yet, is over. A commission that is disputed whole leaves
 * the line that was to pay it: won, it is in the balance and in the next payout.
 */
const tidyOpenLines = async (tx: Tx, { programId, loaded, moves, after, at }: Tidying) => {
  const takenFrom = (lineId: number) =>
    moves.filter(({ payoutLineId }) => payoutLineId === lineId).reduce((sum, { amountCents }) => sum + amountCents, 0)
  for (const { id: lineId, cents } of loaded.booked.openLines)
    if (cents > 0 && takenFrom(lineId) === cents) await closeEmptyLine(tx, { programId, lineId, at })
  const isHeld = moves.some(({ fromAccount, toAccount }) => toAccount === 'disputed' && fromAccount !== 'program')
  if (!isHeld || inBalance(after) > 0) return
  for (const { id: payoutLineId } of loaded.booked.openLines)
    await leaveOpenLine(tx, { programId, payoutLineId, commissionId: loaded.commissionId })
}
