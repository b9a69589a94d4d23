import { attributeLead, type LeadCallFacts } from '../../attribution/attribute-lead.ts'
import { attributeSale, type SaleFacts } from '../../attribution/attribute-sale.ts'
import { type ConfirmationFacts, confirmCustomer } from '../../attribution/confirm-customer.ts'
import type { RuleName } from '../../explain/decisions.ts'
import { type CommissionFacts, decideCommission } from '../../money/commissions/decide-commission.ts'
import { type CorrectionFacts, decideCorrection } from '../../money/commissions/decide-correction.ts'
import {
  type DisputeFacts,
  decideDispute,
  type ReviewFacts,
  reviewOutcome,
} from '../../money/commissions/decide-dispute.ts'
import { decideReversal, type ReversalFacts } from '../../money/commissions/decide-reversal.ts'

/** Every rule, by the name and version under which its decisions are kept. An old version stays as long as they do. */
const RULES: Record<RuleName, Record<number, (facts: never) => unknown>> = {
  lead: { 1: (facts: LeadCallFacts) => attributeLead(facts) },
  sale: { 1: (facts: SaleFacts) => attributeSale(facts) },
  commission: { 1: (facts: CommissionFacts) => decideCommission(facts) },
  reversal: { 1: (facts: ReversalFacts) => decideReversal(facts) },
  dispute: { 1: (facts: DisputeFacts) => decideDispute(facts) },
  review: { 1: (facts: ReviewFacts) => reviewOutcome(facts) },
  correction: { 1: (facts: CorrectionFacts) => decideCorrection(facts) },
  confirmation: { 1: (facts: ConfirmationFacts) => confirmCustomer(facts) },
}

type Kept = { rule: RuleName; ruleVersion: number; facts: unknown }

/** What the rule says of the facts that were kept: the same as it said then, or somebody changed a rule without a number. */
export const decideAgain = ({ rule, ruleVersion, facts }: Kept): unknown => {
  const decide = RULES[rule][ruleVersion]
  if (!decide) throw new Error(`there is no version ${ruleVersion} of the rule ${rule}`)
  return decide(facts as never)
}
