import type { LeadCallFacts } from '../attribution/attribute-lead.ts'
import type { Customer } from '../customers/customers.ts'
import { findLeadByClick, keepProvisionalLead } from '../customers/leads.ts'
import type { Tx } from '../database/transaction.ts'
import { clicksOfRecord } from '../events/clicks-of-record.ts'
import { keepDecision } from '../explain/decisions.ts'
import { decisionOfLead } from './decision-of-lead.ts'

type Provisional = { programId: number; facts: LeadCallFacts; record: Customer; decidedAt: Date }

/** A browser told of it, and the merchant's server has not yet: kept and explained, and nothing counts. */
export const makeProvisionalLead = async (tx: Tx, { programId, facts, record, decidedAt }: Provisional) => {
  const { clickId, linkId, partnerId } = record
  const { at } = facts
  await keepProvisionalLead(tx, { programId, clickId, linkId, partnerId, at })
  if (facts.lead !== 'none') return
  const made = await findLeadByClick(tx, { programId, clickId })
  if (!made) throw new Error('a lead that was kept is there')
  const { clicks } = await clicksOfRecord(tx, { programId, record, at })
  await keepDecision(tx, decisionOfLead({ programId, leadId: made.id, facts: { ...facts, clicks }, decidedAt }))
}
