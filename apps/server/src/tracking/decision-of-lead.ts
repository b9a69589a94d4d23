import { attributeLead, type LeadCallFacts } from '../attribution/attribute-lead.ts'
import type { Customer } from '../customers/customers.ts'
import type { Tx } from '../database/transaction.ts'
import { clicksOfRecord } from '../events/clicks-of-record.ts'
import type { NewDecision } from '../explain/decisions.ts'

type MadeLead = { programId: number; leadId: number; record: Customer; facts: LeadCallFacts; decidedAt: Date }

/** Whose lead it became, and why, to be kept beside the lead itself. */
export const decisionOfLead = async (tx: Tx, lead: MadeLead): Promise<NewDecision> => {
  const { programId, leadId, record, facts: call, decidedAt } = lead
  const facts = { ...call, clicks: await clicksOfRecord(tx, { programId, record, at: call.at }) }
  const result = attributeLead(facts)
  if (!result) throw new Error('a call that made a lead was decided to make one')
  return { programId, subject: 'lead', subjectId: leadId, of: { leadId }, rule: 'lead', facts, result, at: decidedAt }
}
