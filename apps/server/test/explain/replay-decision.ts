import { attributeLead, attributeSale, type LeadCallFacts, type SaleFacts } from '../../src/attribution/attribution.ts'
import { type ConfirmationFacts, confirmCustomer } from '../../src/attribution/confirm-customer.ts'
import type { RuleName } from '../../src/explain/decisions.ts'
import { type AdjustmentFacts, decideAdjustment } from '../../src/money/adjustments/decide-adjustment.ts'
import {
  type CorrectionFacts,
  type DisputeFacts,
  decideCorrection,
  decideDispute,
  decideReversal,
  decideReview,
  type ReversalFacts,
  type ReviewFacts,
} from '../../src/money/commissions/commission-rules.ts'
import { type CommissionFacts, decideCommission } from '../../src/money/rewards/rewards.ts'

/** Every rule by name and version. A version stays as long as decisions made by it are stored. */
const RULES: Record<RuleName, Record<number, (facts: never) => unknown>> = {
  // The second version added promotion codes, which facts of the first do not have: without one, nothing else changed.
  lead: { 1: (facts: LeadCallFacts) => attributeLead(facts), 2: (facts: LeadCallFacts) => attributeLead(facts) },
  sale: { 1: (facts: SaleFacts) => attributeSale(facts), 2: (facts: SaleFacts) => attributeSale(facts) },
  // Version 2 knows rules. Without them it decides as version 1 did.
  commission: {
    1: (facts: CommissionFacts) => decideCommission(withoutRules(facts)),
    2: (facts: CommissionFacts) => decideCommission(facts),
  },
  reversal: { 1: (facts: ReversalFacts) => decideReversal(facts) },
  dispute: { 1: (facts: DisputeFacts) => decideDispute(facts) },
  review: { 1: (facts: ReviewFacts) => decideReview(facts) },
  correction: { 1: (facts: CorrectionFacts) => decideCorrection(facts) },
  confirmation: { 1: (facts: ConfirmationFacts) => confirmCustomer(facts) },
  adjustment: {
    1: (facts: AdjustmentFacts) => decideAdjustment(facts),
    2: (facts: AdjustmentFacts) => decideAdjustment(facts),
  },
}

const withoutRules = ({ terms, ...facts }: CommissionFacts): CommissionFacts => ({
  ...facts,
  terms: terms && { ...terms, saleRules: null },
})

type StoredDecision = { rule: RuleName; ruleVersion: number; facts: unknown }

/** Applies the rule to the stored facts. A different result means that a rule changed without a new version. */
export const replayDecision = ({ rule, ruleVersion, facts }: StoredDecision): unknown => {
  const decide = RULES[rule][ruleVersion]
  if (!decide) throw new Error(`Rule ${rule} has no version ${ruleVersion}`)
  return decide(facts as never)
}
