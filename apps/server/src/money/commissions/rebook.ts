import { sql } from 'kysely'
import { isUndone, isVoided } from '../../database/sql/active-void.ts'
import { disputedCents, selectRefundedCents } from '../../database/sql/refunded.ts'
import type { Tx } from '../../database/transaction.ts'
import { changing } from '../../outbox/publish-changes.ts'
import { saleOfCommission, selectManualCredits } from '../adjustments/manual-credits.ts'
import { type ADJUSTMENT_CAUSE, appendLines, CORRECTION_CAUSE } from '../ledger/ledger.ts'
import { RESERVED_BY_LINE } from '../payouts/find-payout-lines.ts'
import { balanceOf, isSetAside, type ManualCredit, type Standing, standingOf } from './commission-rules.ts'
import '../payouts/payout-events.ts'
import type { SaleAmounts } from '../rewards/rewards.ts'
import { correctCommissionRow } from './commissions.ts'
import { type Booked, type LedgerMove, movesBetween } from './ledger-moves.ts'
import { recordLoss, type StoredLoss, selectLastLoss } from './losses.ts'

/** What an event earned and when it is payable. A later report about the event can change it. */
export type Earning = { amountCents: number; termsVersion: number | null; earnedAt: Date; payableAt: Date }

/** Why a commission is rebooked; becomes the cause of the ledger lines. */
export type Cause =
  | { kind: 'refund'; refundId?: number }
  | { kind: 'dispute' }
  | { kind: 'review'; ledgerCause: 'review: released' | 'review: rejected' | 'sent to review: customer_is_partner' }
  | { kind: 'adjustment'; ledgerCause: (typeof ADJUSTMENT_CAUSE)[keyof typeof ADJUSTMENT_CAUSE] }
  | { kind: 'correction'; ledgerCause: string }

type RebookInput = {
  programId: number
  commissionId: number
  cause: Cause
  /** Replaces what the commission earned, or parts of it; unchanged if omitted. */
  earning?: Partial<Earning>
  at: Date
}

/** The commission's facts, with its standing before and after. */
export type RebookResult = Loaded & { before: Standing; after: Standing }

/**
 * Books the ledger lines that bring a commission to its current standing: the one function for refunds, disputes, reviews,
 * adjustments and corrections. Idempotent. Returns null if the commission does not exist.
 */
export const rebook = async (tx: Tx, input: RebookInput): Promise<RebookResult | null> => {
  const { programId, commissionId, cause, earning, at } = input
  await lockCommissionAccount(tx, { programId, commissionId })
  const loaded = await loadCommission(tx, { programId, commissionId })
  if (!loaded) return null
  const corrected = earning && beforeRelease(earning, loaded.releasedAt)
  const earned = { ...loaded, ...corrected }
  const after = standingOf({ ...earned, isSetAside: isSetAside(loaded.manual) })
  const moves = movesBetween(loaded.booked, { ...after, payableAt: earned.payableAt })
  if (corrected) await correctCommissionRow(tx, { programId, id: commissionId, ...corrected, at })
  await book(tx, { programId, loaded, moves, cause, at })
  await recordLoss(tx, { programId, loaded: earned, at })
  await updateOpenLines(tx, { programId, loaded, moves, after, at })
  return { ...earned, before: loaded.booked, after }
}

/** A corrected date does not hold a commission again that a member has released. */
const beforeRelease = (earning: Partial<Earning>, releasedAt: Date | null): Partial<Earning> =>
  releasedAt && earning.payableAt && releasedAt < earning.payableAt ? { ...earning, payableAt: releasedAt } : earning

type Key = { programId: number; commissionId: number }

/**
 * Debits lock the account before reading it, so two concurrent debits cannot take the same money. Call this before anything that
 * decides the commission is written.
 */
export const lockCommissionAccount = (tx: Tx, { programId, commissionId }: Key) =>
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
  kind: string
  releasedAt: Date | null
  adjustmentId: number | null
  isVoided: boolean
  isUndone: boolean
  credits: ManualCredit[]
  promised: number
  disputed: number
  review: number
  wasPaid: boolean
  hasBeenInPayout: boolean
  openLines: Booked['openLines']
  lastLoss: StoredLoss | null
}

type Loaded = Awaited<ReturnType<typeof loadCommission>> & object

/** Reads everything that decides the standing, and the standing booked in the ledger, in one statement. */
const loadCommission = async (tx: Tx, { programId, commissionId }: Key) => {
  const { rows } = await sql<Row>`
    SELECT commission.id AS commission_id, commission.sale_id, commission.lead_id, commission.partner_id, commission.currency,
      commission.kind, commission.adjustment_id, ${isVoided('commission')} AS is_voided,
      own.id IS NOT NULL AND ${isUndone('own')} AS is_undone, ${selectManualCredits('sale')} AS credits,
      commission.amount_cents, commission.terms_version, commission.earned_at, commission.payable_at, released.released_at,
      sale.amount_cents AS sale_cents, coalesce(${selectRefundedCents('sale')}, 0) AS refunded_cents, dispute.*,
      sale.voided_at IS NOT NULL AS is_merged, review.commission_id IS NOT NULL AS is_reviewed, review.decision, ledger.*, payout.*,
      ${selectLastLoss} AS last_loss
    FROM commissions commission
    LEFT JOIN adjustments own ON own.program_id = commission.program_id AND own.id = commission.adjustment_id
    LEFT JOIN hold_releases released ON released.program_id = commission.program_id AND released.commission_id = commission.id
    LEFT JOIN sales sale ON sale.program_id = commission.program_id AND sale.id = ${saleOfCommission('commission')}
    LEFT JOIN commission_reviews review ON review.program_id = commission.program_id AND review.commission_id = commission.id
    CROSS JOIN LATERAL (
      SELECT coalesce(${disputedCents('open')}, 0) AS open_cents, coalesce(${disputedCents('lost')}, 0) AS lost_cents
      FROM disputes dispute WHERE dispute.program_id = sale.program_id AND dispute.sale_id = sale.id) dispute
    CROSS JOIN LATERAL (
      SELECT ${sumIn('program', -1)} AS promised, ${sumIn('disputed', 1)} AS disputed, ${sumIn('review', 1)} AS review,
        coalesce(bool_or('batched' IN (from_account, to_account)), false) AS was_batched
      FROM ledger_lines WHERE program_id = commission.program_id AND commission_id = commission.id) ledger
    CROSS JOIN LATERAL (
      SELECT coalesce(bool_or(line.status = 'paid'), false) AS was_paid,
        coalesce(bool_or(line.status <> 'failed'), false) OR ledger.was_batched AS has_been_in_payout,
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
  manual: { ...row, creditId: row.kind === 'credited' ? row.adjustmentId : null },
  sale: row.saleCents === null ? null : (row as SaleAmounts),
  review: isReviewed ? (decision ?? ('open' as const)) : ('none' as const),
  booked: { promised, disputed, review, payableAt: row.payableAt, openLines },
})

type LinesToBook = { programId: number; loaded: Loaded; moves: LedgerMove[]; cause: Cause; at: Date }

const book = (tx: Tx, { programId, loaded, moves, cause, at }: LinesToBook) => {
  const { commissionId, partnerId, currency } = loaded
  const refundId = cause.kind === 'refund' ? cause.refundId : undefined
  const lines = moves.map((move) => ({
    ...move,
    partnerId,
    currency,
    commissionId,
    cause: describeCause(move, cause),
    refundId: move.toAccount === 'program' ? refundId : undefined,
  }))
  return appendLines(tx, { programId, at, lines })
}

const describeCause = ({ fromAccount, toAccount }: LedgerMove, cause: Cause) => {
  const isDispute = cause.kind === 'dispute'
  if (fromAccount === 'program' && cause.kind === 'refund') return CORRECTION_CAUSE.refund
  if (fromAccount === 'program' && isDispute) return CORRECTION_CAUSE.dispute
  if (fromAccount !== 'program' && toAccount === 'disputed')
    return isDispute ? 'dispute opened' : CORRECTION_CAUSE.dispute
  if (fromAccount === 'disputed' && toAccount !== 'program') return isDispute ? 'dispute won' : CORRECTION_CAUSE.dispute
  if (isDispute) return 'dispute lost'
  return cause.kind === 'refund' ? 'refund' : cause.ledgerCause
}

type OpenLinesUpdate = { programId: number; loaded: Loaded; moves: LedgerMove[]; after: Standing; at: Date }

/**
 * Closes payout lines that are now empty and not in any exported file. A fully disputed commission leaves its open payout line; if
 * the dispute is won, the amount returns to the balance and the next payout pays it.
 */
const updateOpenLines = async (tx: Tx, { programId, loaded, moves, after, at }: OpenLinesUpdate) => {
  const takenFrom = (lineId: number) =>
    moves.filter(({ payoutLineId }) => payoutLineId === lineId).reduce((sum, { amountCents }) => sum + amountCents, 0)
  for (const { id: lineId, cents } of loaded.booked.openLines)
    if (cents > 0 && takenFrom(lineId) === cents) await closeEmptyLine(tx, { programId, lineId, at })
  const isHeld = moves.some(({ fromAccount, toAccount }) => toAccount === 'disputed' && fromAccount !== 'program')
  if (!isHeld || balanceOf(after) > 0) return
  for (const { id: payoutLineId } of loaded.booked.openLines)
    await removeFromPayoutLine(tx, { programId, payoutLineId, commissionId: loaded.commissionId })
}

/** Exported lines stay open: someone may have paid them. */
const closeEmptyLine = async (tx: Tx, { programId, lineId, at }: { programId: number; lineId: number; at: Date }) => {
  const writer = await changing(tx, 'payout', { programId, ids: [lineId], at })
  await writer
    .updateTable('payoutLines')
    .set({ status: 'failed', decidedAt: at })
    .where('programId', '=', programId)
    .where('id', '=', lineId)
    .where('exportedCents', 'is', null)
    .execute()
}

/** Unlists a disputed commission; if the dispute is won, the next payout pays it. */
const removeFromPayoutLine = (
  tx: Tx,
  { programId, payoutLineId, commissionId }: { programId: number; payoutLineId: number; commissionId: number },
) =>
  tx
    .deleteFrom('payoutCommissions')
    .where('programId', '=', programId)
    .where('payoutLineId', '=', payoutLineId)
    .where('commissionId', '=', commissionId)
    .execute()
