import type { Tx } from '../../database/transaction.ts'
import { keepDecision } from '../../explain/decisions.ts'
import { type Commission, findCommission, findCommissionOfSale } from '../../money/commissions/commissions.ts'
import { type CorrectionFacts, decideCorrection } from '../../money/commissions/decide-correction.ts'
import {
  type DisputeFacts,
  decideDispute,
  type ReviewFacts,
  reviewOutcome,
} from '../../money/commissions/decide-dispute.ts'
import { decideReversal, type ReversalFacts } from '../../money/commissions/decide-reversal.ts'
import { disputesOf } from '../../money/commissions/disputes.ts'
import { type Earning, type Rebooked, rebook } from '../../money/commissions/rebook.ts'
import { refundedCentsOf } from '../../money/commissions/refunds.ts'
import { CORRECTION_CAUSE } from '../../money/ledger/ledger.ts'

/**
 * How the commission of a sale follows the sale once more is known about it. Each function brings the ledger to where the rules of
 * money/commissions put it (rebook), and keeps the decision that explains the change. Called again, they change nothing.
 */
type OfSale = { programId: number; saleId: number }

export type RefundedSale = { id: number; amountCents: number; currency: string }

type Reversal = { programId: number; sale: RefundedSale; at: Date } & (
  | { cause: 'refund'; refundId: number }
  | { cause: 'late_credit' | 'processor'; refundId?: undefined }
)

/** Takes back the part of a commission that refunds took of its sale. Called by a refund, and by a late credit. */
export const reverseFor = async (tx: Tx, { programId, sale, cause, refundId, at }: Reversal) => {
  const saleId = sale.id
  const refunded = await refundedCentsOf(tx, { programId, saleId })
  if (refunded === 0) return
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  const rebooked =
    commission &&
    (await rebook(tx, { programId, commissionId: commission.id, cause: { kind: 'refund', refundId }, at }))
  const facts: ReversalFacts = {
    cause: cause === 'late_credit' ? cause : 'refund',
    saleCents: sale.amountCents,
    refundedCents: refunded,
    commission: rebooked ? reversalFactsOf(rebooked) : null,
  }
  const result = decideReversal(facts)
  const subject =
    cause === 'refund'
      ? ({ subject: 'refund', subjectId: refundId } as const)
      : ({ subject: cause === 'processor' ? 'refund' : 'sale', subjectId: saleId } as const)
  await keepDecision(tx, { programId, ...subject, of: { saleId }, rule: 'reversal', facts, result, at })
}

const reversalFactsOf = (rebooked: Rebooked): ReversalFacts['commission'] => {
  const { amountCents, currency, before, lostCents, wasPaid } = rebooked
  return { amountCents, currency, promisedCents: before.promised, lostCents, wasPaid }
}

type Correction = OfSale & {
  cause: CorrectionFacts['cause']
  because?: CorrectionFacts['because']
  saleCents: CorrectionFacts['saleCents']
  /** What the sale earns from now on; as before where nothing is given. */
  after?: Earning
  at: Date
}

/** Brings a commission to where it would be if the sale had been reported right from the beginning. */
export const correctCommission = async (tx: Tx, correction: Correction) => {
  const { programId, saleId, cause, because, saleCents, after, at } = correction
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  const rebooked =
    commission &&
    (await rebook(tx, {
      ...{ programId, commissionId: commission.id, at },
      cause: { kind: 'correction', word: CORRECTION_CAUSE[cause] },
      ...(after && { earning: after }),
    }))
  const facts: CorrectionFacts = {
    cause,
    ...(because && { because }),
    saleCents,
    refundedCents: rebooked?.refundedCents ?? (await refundedCentsOf(tx, { programId, saleId })),
    commission: commission && rebooked ? correctionFactsOf(commission, rebooked) : null,
  }
  const result = decideCorrection(facts)
  const of = { saleId }
  await keepDecision(tx, { programId, subject: 'sale', subjectId: saleId, of, rule: 'correction', facts, result, at })
}

const correctionFactsOf = (commission: Commission, rebooked: Rebooked): CorrectionFacts['commission'] => {
  const { amountCents, currency, before, sale, lostCents, review, wasPaid } = rebooked
  const isLost = lostCents > 0 && lostCents === sale?.saleCents
  return {
    amountCents: { before: commission.amountCents, after: amountCents },
    currency,
    promisedCents: before.promised,
    lostCents,
    isOver: isLost || review === 'rejected',
    wasPaid,
  }
}

/** Holds or gives back the part of a commission that disputes hold of its sale. Called by a dispute, and by a late credit. */
export const followDisputes = async (tx: Tx, { programId, saleId, at }: OfSale & { at: Date }) => {
  const commission = await findCommissionOfSale(tx, { programId, saleId })
  if (commission) await rebook(tx, { programId, commissionId: commission.id, cause: { kind: 'dispute' }, at })
  return commission !== undefined
}

type Dispute = OfSale & { disputeId: string; status: DisputeFacts['status']; at: Date }

/** The same for a dispute that was opened or closed, with the decision that explains it. */
export const followDispute = async (tx: Tx, { programId, saleId, disputeId, status, at }: Dispute) => {
  const hasCommission = await followDisputes(tx, { programId, saleId, at })
  const othersOpen = status === 'won' && (await disputesOf(tx, { programId, saleId })) !== 'none'
  const facts: DisputeFacts = { status, hasCommission, othersOpen }
  const result = decideDispute(facts)
  const decision = { subject: 'dispute', subjectId: disputeId, of: { saleId }, rule: 'dispute' } as const
  await keepDecision(tx, { programId, ...decision, facts, result, at })
}

type Review = ReviewFacts & { programId: number; commissionId: number; at: Date }

/** What a person decided about a commission in review. Who it was and why is in the review and the audit log. */
export const keepReviewDecision = async (tx: Tx, { programId, commissionId, decision, at }: Review) => {
  const { saleId = null, leadId = null } = (await findCommission(tx, { programId, id: commissionId })) ?? {}
  const of = saleId !== null ? { saleId } : leadId !== null ? { leadId } : null
  if (!of) throw new Error('a commission is earned by a sale or a lead')
  const facts: ReviewFacts = { decision }
  const result = reviewOutcome(facts)
  const review = { subject: 'review', subjectId: commissionId, of, rule: 'review' } as const
  await keepDecision(tx, { programId, ...review, facts, result, at })
}
