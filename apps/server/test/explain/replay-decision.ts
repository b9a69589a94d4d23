import { attributeLead, type LeadCallFacts } from '../../src/attribution/attribute-lead.ts'
import { attributeSale, type SaleFacts } from '../../src/attribution/attribute-sale.ts'
import { type ConfirmationFacts, confirmCustomer } from '../../src/attribution/confirm-customer.ts'
import type { RuleName } from '../../src/explain/decisions.ts'
import { type AdjustmentFacts, decideAdjustment } from '../../src/money/adjustments/decide-adjustment.ts'
import { type CommissionFacts, decideCommission } from '../../src/money/commissions/decide-commission.ts'
import { type CorrectionFacts, decideCorrection } from '../../src/money/commissions/decide-correction.ts'
import { type DisputeFacts, decideDispute } from '../../src/money/commissions/decide-dispute.ts'
import { decideReversal, type ReversalFacts } from '../../src/money/commissions/decide-reversal.ts'
import { decideReview, type ReviewFacts } from '../../src/money/commissions/decide-review.ts'

/** Every rule by name and version. A version stays as long as decisions made by it are stored. */
const RULES: Record<RuleName, Record<number, (facts: never) => unknown>> = {
  lead: { 1: (facts: LeadCallFacts) => attributeLead(facts) },
  sale: { 1: (facts: SaleFacts) => attributeSale(facts) },
  commission: { 1: (facts: CommissionFacts) => decideCommission(facts) },
  reversal: { 1: (facts: ReversalFacts) => decideReversal(facts) },
  dispute: { 1: (facts: DisputeFacts) => decideDispute(facts) },
  review: { 1: (facts: ReviewFacts) => decideReview(facts) },
  correction: { 1: (facts: CorrectionFacts) => decideCorrection(facts) },
  confirmation: { 1: (facts: ConfirmationFacts) => confirmCustomer(facts) },
  adjustment: { 1: (facts: AdjustmentFacts) => decideAdjustment(facts) },
}

type StoredDecision = { rule: RuleName; ruleVersion: number; facts: unknown }

/** Applies the rule to the stored facts. A different result means that a rule changed without a new version. */
export const replayDecision = ({ rule, ruleVersion, facts }: StoredDecision): unknown => {
  const decide = RULES[rule][ruleVersion]
  if (!decide) throw new Error(`Rule ${rule} has no version ${ruleVersion}`)
  return decide(facts as never)
}
