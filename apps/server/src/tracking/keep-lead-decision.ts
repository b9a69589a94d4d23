import { attributeLead, type LeadCallFacts } from '../attribution/attribute-lead.ts'
import type { Customer } from '../customers/customers.ts'
import type { Tx } from '../database/transaction.ts'
import { clicksOfRecord } from '../events/clicks-of-record.ts'
import { keepDecision } from '../explain/decisions.ts'

type KeptLead = { programId: number; leadId: number; record: Customer; facts: LeadCallFacts; decidedAt: Date }

/** Whose lead it became, and why, beside the lead itself. */
export const keepLeadDecision = async (tx: Tx, { programId, leadId, record, facts: call, decidedAt }: KeptLead) => {
  const { at } = call
  const facts = { ...call, clicks: await clicksOfRecord(tx, { programId, record, at }) }
  const result = attributeLead(facts)
  if (!result) throw new Error('a call that made a lead was decided to make one')
  const of = { leadId }
  await keepDecision(tx, {
    programId,
    subject: 'lead',
    subjectId: leadId,
    of,
    rule: 'lead',
    facts,
    result,
    at: decidedAt,
  })
}
