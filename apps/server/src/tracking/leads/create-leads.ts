import { attributeLead, type LeadCallFacts } from '../../attribution/attribute-lead.ts'
import { type Customer, hashesOf, type StoredEmail, settleCustomers } from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { settleLeads, storeProvisionalLead } from '../../customers/leads.ts'
import { mailboxOf } from '../../customers/mailboxes.ts'
import type { Tx } from '../../database/transaction.ts'
import { findClicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { type NewDecision, storeDecision } from '../../explain/decisions.ts'
import type { Program } from '../../programs/programs.ts'
import { lockAllWaitingSales, type WaitingSale } from '../../sales/customer-sales.ts'
import { newClickId } from '../clicks/click-ids.ts'
import { type EarningEvent, earnAll } from '../commissions/earn-commissions.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { creditWaitingSales } from './credit-waiting-sales.ts'
import { type LoadedLead, loadLeadFacts } from './load-lead-facts.ts'
import { reviewOwnEarnings } from './review-own-earnings.ts'

export type NewLead = {
  now: Date
  program: Program
  facts: LeadCallFacts
  record: Customer
  customerKey: string
  email: StoredEmail | null
  /** The click already belongs to another customer. */
  isSecondCustomer: boolean
  /** The start of a second customer's click ID. */
  cell?: string | undefined
}

/** Settles leads: saves their customer keys, creates commissions and credits sales that arrived first. Returns the same leads. */
export const createLeads = async <Lead extends NewLead>(tx: Tx, hashKey: string, newLeads: Lead[]) => {
  const leads = newLeads.map((lead) => Object.assign(lead, toRow(hashKey, lead), { visitorHash: null, clicks: [] }))
  await findClicksOfRecords(tx, leads)
  const settled = await loadLeadFacts(tx, hashKey, leads)
  const parts = {
    ...settleCustomers(settled),
    ...settleLeads(settled, settled[0]?.now ?? new Date(0)),
    marked: markDaysWritten,
  }
  await earnAll(tx, settled.map(toEarningEvent), parts)
  await creditEarlierSales(tx, hashKey, settled)
  await reviewSalesBeforeOwnLeads(tx, hashKey, settled)
  return settled
}

const SETTLED_BY = { server_lead: 'server', browser_sign_up: 'browser', processor_payment: 'processor' } as const

const toRow = (hashKey: string, { program, facts, record, customerKey, isSecondCustomer, cell }: NewLead) => ({
  programId: program.id,
  timezone: program.timezone,
  linkId: record.linkId,
  partnerId: record.partnerId,
  at: facts.at,
  settledBy: SETTLED_BY[facts.event],
  clickId: isSecondCustomer ? newClickId(program.id, facts.at, cell) : record.clickId,
  erasedKeyHash: erasedKeyHash(hashKey, { programId: program.id, customerKey }),
})

type SettledLead = NewLead & ReturnType<typeof toRow> & LoadedLead & { clicks: LeadCallFacts['clicks'] }

const toEarningEvent = (lead: SettledLead): EarningEvent => {
  const { programId, leadId, partnerId, at: settledAt, reward, leadsOfVisitor, settledBy, rewardedBefore, now } = lead
  const { isProvisional, clicks } = lead
  const facts = { ...lead.facts, clicks, ...(isProvisional && { lead: 'provisional' as const }) }
  return {
    programId,
    partnerId,
    of: { kind: 'lead', leadId },
    reward,
    leadsOfVisitor,
    event: { kind: 'lead', settledAt, ...(rewardedBefore && { rewardedBefore }) },
    isUnverified: settledBy === 'browser',
    earnedAt: settledAt,
    at: now,
    decision: leadDecision({ programId, leadId, facts, decidedAt: now }),
  }
}

/**
 * Credits sales that arrived before their lead. A browser lead may carry a stranger's key, so its earlier sales wait until the
 * customer is confirmed.
 */
const creditEarlierSales = async (tx: Tx, hashKey: string, leads: SettledLead[]) => {
  const credited: (SettledLead & { waiting?: WaitingSale[] })[] = leads.filter(
    ({ settledBy, hasWaitingSales }) => settledBy !== 'browser' && hasWaitingSales,
  )
  await lockAllWaitingSales(tx, credited)
  for (const { program, clickId, record: clicksOf, now: at, waiting = [] } of credited)
    await creditWaitingSales(tx, hashKey, { program, clickId, clicksOf, at }, waiting)
  // An earlier sale may have earned as the first, although the erased customer with this key had bought before.
  for (const { programId, clickId, hasBoughtBefore, now: at } of leads)
    if (hasBoughtBefore) await settleFirstSale(tx, hashKey, { programId, clickId, at })
}

/**
 * Sales can be credited by click before the lead shows that the customer is a partner. A browser lead may carry a stranger's key,
 * so only the click counts.
 */
const reviewSalesBeforeOwnLeads = async (tx: Tx, hashKey: string, leads: SettledLead[]) => {
  const customers = leads.flatMap(({ programId, clickId, customerKey, email, now: at, ...lead }) => {
    const key = lead.settledBy === 'browser' ? null : customerKey
    const isSold = lead.hasBought || (key !== null && lead.isSoldByClick)
    const hasMailbox = email !== null || mailboxOf(customerKey) !== null
    const names = { keys: [customerKey], ...hashesOf(email) }
    return isSold && hasMailbox ? [{ programId, clickId, customerKey: key, names, at }] : []
  })
  await reviewOwnEarnings(tx, hashKey, customers)
}

type ProvisionalLead = { programId: number; facts: LeadCallFacts; record: Customer; decidedAt: Date }

/** Stores a browser lead that the merchant's server has not confirmed. It counts for nothing yet, but can be explained. */
export const createProvisionalLead = async (tx: Tx, { programId, facts, record, decidedAt }: ProvisionalLead) => {
  const { clickId, linkId, partnerId } = record
  const { at } = facts
  const leadId = await storeProvisionalLead(tx, { programId, clickId, linkId, partnerId, at })
  if (leadId === null) return
  const seen = { programId, record, at, clicks: [] as LeadCallFacts['clicks'] }
  await findClicksOfRecords(tx, [seen])
  const { clicks } = seen
  await storeDecision(tx, leadDecision({ programId, leadId, facts: { ...facts, clicks }, decidedAt }))
}

type DecidedLead = { programId: number; leadId: number; facts: LeadCallFacts; decidedAt: Date }

const leadDecision = ({ programId, leadId, facts, decidedAt }: DecidedLead): NewDecision => {
  const result = attributeLead(facts)
  if (!result) throw new Error('The attribution rule returned no result for a recorded lead')
  return { programId, subject: 'lead', subjectId: leadId, of: { leadId }, rule: 'lead', facts, result, at: decidedAt }
}
