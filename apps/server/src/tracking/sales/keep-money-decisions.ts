import type { Tx } from '../../database/transaction.ts'
import { keepDecision } from '../../explain/decisions.ts'
import { findCommission } from '../../money/commissions/commissions.ts'
import {
  type DisputeFacts,
  decideDispute,
  type ReviewFacts,
  reviewOutcome,
} from '../../money/commissions/decide-dispute.ts'
import { disputesOf } from '../../money/commissions/disputes.ts'

type Dispute = Omit<DisputeFacts, 'othersOpen'> & { programId: number; saleId: number; disputeId: string; at: Date }

/** Why a dispute holds, gives back or takes back a commission. Called once it is opened or closed. */
export const keepDisputeDecision = async (tx: Tx, dispute: Dispute) => {
  const { programId, saleId, disputeId, status, hasCommission, at } = dispute
  const othersOpen = status === 'won' && (await disputesOf(tx, { programId, saleId })) !== 'none'
  const facts: DisputeFacts = { status, hasCommission, othersOpen }
  const result = decideDispute(facts)
  const decision = { subject: 'dispute', subjectId: disputeId, of: { saleId }, rule: 'dispute' } as const
  await keepDecision(tx, { programId, ...decision, facts, result, at })
}

/** What somebody decided about a commission in review. Who it was and in which words is in the review and the audit log. */
export const keepReviewDecision = async (
  tx: Tx,
  { programId, commissionId, decision, at }: ReviewFacts & { programId: number; commissionId: number; at: Date },
) => {
  const commission = await findCommission(tx, { programId, id: commissionId })
  const { saleId, leadId } = commission ?? { saleId: null, leadId: null }
  const of = saleId !== null ? { saleId } : leadId !== null ? { leadId } : null
  if (!of) throw new Error('a commission is of a sale or of a lead')
  const facts: ReviewFacts = { decision }
  const result = reviewOutcome(facts)
  await keepDecision(tx, {
    programId,
    subject: 'review',
    subjectId: commissionId,
    of,
    rule: 'review',
    facts,
    result,
    at,
  })
}
