import type { Tx } from '../../database/transaction.ts'
import { storeDecision } from '../../explain/decisions.ts'
import { findEventOfCommission } from '../../money/adjustments/adjustments.ts'
import { decideReview, type ReviewFacts } from '../../money/commissions/commission-rules.ts'

type Review = ReviewFacts & { programId: number; commissionId: number; at: Date }

/** Stores the outcome of a review. The review and the audit log record who decided and why. */
export const storeReviewDecision = async (tx: Tx, { programId, commissionId, decision, matches, at }: Review) => {
  const of = await findEventOfCommission(tx, { programId, commissionId })
  // A bonus or manual commission belongs to no event. Its review and the audit log say what was decided.
  if (!of) return
  const facts: ReviewFacts = { decision, ...(matches && { matches }) }
  const result = decideReview(facts)
  const review = { subject: 'review', subjectId: commissionId, of, rule: 'review' } as const
  await storeDecision(tx, { programId, ...review, facts, result, at })
}
