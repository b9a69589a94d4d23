import { attributeLead, type LeadCallFacts } from '../../attribution/attribute-lead.ts'
import {
  type Customer,
  copyCustomer,
  markAsBuyers,
  type StoredEmail,
  settleCustomers,
} from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { findLeadByClick, storeProvisionalLead, storeSettledLeads } from '../../customers/leads.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { clicksOfRecord, clicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { type NewDecision, storeDecision } from '../../explain/decisions.ts'
import type { Program } from '../../programs/programs.ts'
import { haveCreditedSale, lockAllWaitingSales } from '../../sales/customer-sales.ts'
import { newClickId } from '../clicks/click-ids.ts'
import { earnForLeads } from '../commissions/earn-commissions.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { creditWaitingSales } from './credit-waiting-sales.ts'

export type NewLead = {
  now: Date
  program: Program
  facts: LeadCallFacts
  record: Customer
  customerKey: string
  email: StoredEmail | null
  /** The click already belongs to another customer. */
  isSecondCustomer: boolean
}

type CreatedLead = { outcome: 'settled'; leadId: number; clickId: string; customerKey: string }

/** Settles leads: saves their customer keys, creates commissions and credits sales that arrived first. */
export const createLeads = async (tx: Tx, hashKey: string, newLeads: NewLead[]): Promise<CreatedLead[]> => {
  const leads = newLeads.map((one) => ({
    ...one,
    programId: one.program.id,
    clickId: one.isSecondCustomer ? newClickId(one.program.id, one.facts.at) : one.record.clickId,
    settledBy: SETTLED_BY[one.facts.event],
  }))
  for (const lead of leads) if (lead.isSecondCustomer) await copyCustomer(tx, lead, lead.record)
  const firsts = leads.filter(({ isSecondCustomer }) => !isSecondCustomer)
  if (firsts.length > 0) await settleCustomers(tx, firsts)
  const seen = await clicksOfRecords(
    tx,
    leads.map(({ programId, record, facts }) => ({ programId, record, at: facts.at })),
  )
  const kept = await storeSettledLeads(
    tx,
    leads.map(({ programId, clickId, record, facts, settledBy, program, customerKey }, index) => ({
      ...{ programId, clickId, linkId: record.linkId, partnerId: record.partnerId, at: facts.at, settledBy },
      visitorHash: seen[index]?.visitorHash ?? null,
      timezone: program.timezone,
      erasedKeyHash: erasedKeyHash(hashKey, { programId, customerKey }),
    })),
    markDaysWritten,
  )
  const settled = leads.map((lead, index) => ({
    ...lead,
    ...(kept[index] as (typeof kept)[number]),
    ...(seen[index] as (typeof seen)[number]),
  }))
  await earnForLeads(tx, hashKey, settled.map(toLeadEvent))
  await creditEarlierSales(tx, hashKey, settled)
  return settled.map(({ leadId, clickId, customerKey }) => ({ outcome: 'settled', leadId, clickId, customerKey }))
}

const SETTLED_BY = { server_lead: 'server', browser_sign_up: 'browser', processor_payment: 'processor' } as const

type SettledLead = NewLead & {
  programId: number
  clickId: string
  settledBy: (typeof SETTLED_BY)[keyof typeof SETTLED_BY]
} & Awaited<ReturnType<typeof storeSettledLeads>>[number] &
  Awaited<ReturnType<typeof clicksOfRecords>>[number]

const toLeadEvent = (lead: SettledLead) => {
  const { programId, leadId, clickId, visitorHash, day, isReportedAgain, facts, record, clicks, settledBy, now } = lead
  return {
    ...{ programId, leadId, clickId, visitorHash, day, isReportedAgain },
    partnerId: record.partnerId,
    isUnverified: settledBy === 'browser',
    settledAt: facts.at,
    at: now,
    priorDecisions: [leadDecision({ programId, leadId, facts: { ...facts, clicks }, decidedAt: now })],
  }
}

/**
 * Credits sales that arrived before their lead. A browser lead may carry a stranger's key, so its earlier sales wait until the
 * customer is confirmed.
 */
const creditEarlierSales = async (tx: Tx, hashKey: string, leads: SettledLead[]) => {
  const waiting = await forSome(
    leads,
    ({ settledBy }) => settledBy !== 'browser',
    (some) => lockAllWaitingSales(tx, some),
  )
  const hasWaiting = (_: unknown, index: number) => (waiting[index]?.length ?? 0) > 0
  for (const [index, { program, clickId, record: clicksOf, now: at }] of leads.entries())
    if (hasWaiting(null, index))
      await creditWaitingSales(tx, hashKey, { program, clickId, clicksOf, at }, waiting[index] ?? [])
  // A sale with only a click ID may already be credited.
  const bought = await forSome(
    leads,
    (one, index) => !hasWaiting(one, index),
    (some) => haveCreditedSale(tx, some),
  )
  const buyers = leads.filter((_, index) => bought[index])
  if (buyers.length > 0) await markAsBuyers(tx, buyers)
  // Such a sale may have earned as the first, although the erased customer with this key had bought before.
  for (const { programId, clickId, hasBoughtBefore, now: at } of leads)
    if (hasBoughtBefore) await settleFirstSale(tx, hashKey, { programId, clickId, at })
}

type ProvisionalLead = { programId: number; facts: LeadCallFacts; record: Customer; decidedAt: Date }

/** Stores a browser lead that the merchant's server has not confirmed. It counts for nothing yet, but can be explained. */
export const createProvisionalLead = async (tx: Tx, { programId, facts, record, decidedAt }: ProvisionalLead) => {
  const { clickId, linkId, partnerId } = record
  const { at } = facts
  await storeProvisionalLead(tx, { programId, clickId, linkId, partnerId, at })
  if (facts.lead !== 'none') return
  const lead = await findLeadByClick(tx, { programId, clickId })
  if (!lead) throw new Error('The provisional lead was not stored')
  const { clicks } = await clicksOfRecord(tx, { programId, record, at })
  await storeDecision(tx, leadDecision({ programId, leadId: lead.id, facts: { ...facts, clicks }, decidedAt }))
}

type DecidedLead = { programId: number; leadId: number; facts: LeadCallFacts; decidedAt: Date }

const leadDecision = ({ programId, leadId, facts, decidedAt }: DecidedLead): NewDecision => {
  const result = attributeLead(facts)
  if (!result) throw new Error('The attribution rule returned no result for a recorded lead')
  return { programId, subject: 'lead', subjectId: leadId, of: { leadId }, rule: 'lead', facts, result, at: decidedAt }
}
