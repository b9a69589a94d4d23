import { attributeLead, type LeadCallFacts } from '../attribution/attribute-lead.ts'
import type { NewDecision } from '../explain/decisions.ts'

type MadeLead = { programId: number; leadId: number; facts: LeadCallFacts; decidedAt: Date }

/** Whose lead it became, and why, to be kept beside the lead itself. */
export const decisionOfLead = ({ programId, leadId, facts, decidedAt }: MadeLead): NewDecision => {
  const result = attributeLead(facts)
  if (!result) throw new Error('a call that made a lead was decided to make one')
  return { programId, subject: 'lead', subjectId: leadId, of: { leadId }, rule: 'lead', facts, result, at: decidedAt }
}
