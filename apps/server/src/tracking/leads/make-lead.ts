import { attributeLead, type LeadCallFacts } from '../../attribution/attribute-lead.ts'
import { type Customer, copyCustomer, markAsBuyers, settleCustomers } from '../../customers/customers.ts'
import type { KeptEmail } from '../../customers/emails.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { findLeadByClick, keepProvisionalLead, keepSettledLeads } from '../../customers/leads.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { clicksOfRecord, clicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { keepDecision, type NewDecision } from '../../explain/decisions.ts'
import type { Program } from '../../programs/programs.ts'
import { haveCreditedSale, lockAllWaitingSales } from '../../sales/sales-of-customer.ts'
import { newClickId } from '../clicks/click-ids.ts'
import { earnForLeads } from '../sales/earn-commission.ts'
import { settleFirstSale } from '../sales/settle-first-sale.ts'
import { creditWaitingSales } from './credit-waiting-sales.ts'

export type Making = {
  now: Date
  program: Program
  facts: LeadCallFacts
  record: Customer
  customerKey: string
  email: KeptEmail | null
  second: boolean
}

export type MadeLead = { outcome: 'settled'; leadId: number; clickId: string; customerKey: string }

/** Leads that count: keys saved, leads settled, days marked, and the sales that came too early credited, all or nothing. */
export const makeLeads = async (tx: Tx, hashKey: string, making: Making[]): Promise<MadeLead[]> => {
  const leads = making.map((one) => ({
    ...one,
    programId: one.program.id,
    clickId: one.second ? newClickId(one.program.id, one.facts.at) : one.record.clickId,
    settledBy: SETTLED_BY[one.facts.event],
  }))
  for (const lead of leads) if (lead.second) await copyCustomer(tx, lead, lead.record)
  const firsts = leads.filter(({ second }) => !second)
  if (firsts.length > 0) await settleCustomers(tx, firsts)
  const seen = await clicksOfRecords(
    tx,
    leads.map(({ programId, record, facts }) => ({ programId, record, at: facts.at })),
  )
  const kept = await keepSettledLeads(
    tx,
    leads.map(({ programId, clickId, record, facts, settledBy, program, customerKey }, place) => ({
      ...{ programId, clickId, linkId: record.linkId, partnerId: record.partnerId, at: facts.at, settledBy },
      visitorHash: seen[place]?.visitorHash ?? null,
      timezone: program.timezone,
      erasedKeyHash: erasedKeyHash(hashKey, { programId, customerKey }),
    })),
    markDaysWritten,
  )
  const made = leads.map((lead, place) => ({
    ...lead,
    ...(kept[place] as (typeof kept)[number]),
    ...(seen[place] as (typeof seen)[number]),
  }))
  await earnForLeads(tx, hashKey, made.map(leadEventOf))
  await creditSales(tx, hashKey, made)
  return made.map(({ leadId, clickId, customerKey }) => ({ outcome: 'settled', leadId, clickId, customerKey }))
}

const SETTLED_BY = { server_lead: 'server', browser_sign_up: 'browser', processor_payment: 'processor' } as const

type Made = Making & {
  programId: number
  clickId: string
  settledBy: (typeof SETTLED_BY)[keyof typeof SETTLED_BY]
} & Awaited<ReturnType<typeof keepSettledLeads>>[number] &
  Awaited<ReturnType<typeof clicksOfRecords>>[number]

const leadEventOf = (made: Made) => {
  const { programId, leadId, clickId, visitorHash, day, isReportedAgain, facts, record, clicks, settledBy, now } = made
  return {
    ...{ programId, leadId, clickId, visitorHash, day, isReportedAgain },
    partnerId: record.partnerId,
    isUnverified: settledBy === 'browser',
    settledAt: facts.at,
    at: now,
    ledTo: [decisionOfLead({ programId, leadId, facts: { ...facts, clicks }, decidedAt: now })],
  }
}

/**
 * The sales that came before their lead. Anybody can name a stranger's key in a browser: then earlier sales wait until the
 * customer is confirmed.
 */
const creditSales = async (tx: Tx, hashKey: string, made: Made[]) => {
  const waiting = await forSome(
    made,
    ({ settledBy }) => settledBy !== 'browser',
    (some) => lockAllWaitingSales(tx, some),
  )
  const hasWaiting = (_: unknown, place: number) => (waiting[place]?.length ?? 0) > 0
  for (const [place, { program, clickId, record: clicksOf, now: at }] of made.entries())
    if (hasWaiting(null, place))
      await creditWaitingSales(tx, hashKey, { program, clickId, clicksOf, at }, waiting[place] ?? [])
  // A sale by the click alone may have come before the lead.
  const bought = await forSome(
    made,
    (one, place) => !hasWaiting(one, place),
    (some) => haveCreditedSale(tx, some),
  )
  const buyers = made.filter((_, place) => bought[place])
  if (buyers.length > 0) await markAsBuyers(tx, buyers)
  // It may have earned as the first of a customer who turns out to have bought before.
  for (const { programId, clickId, hasBoughtBefore, now: at } of made)
    if (hasBoughtBefore) await settleFirstSale(tx, hashKey, { programId, clickId, at })
}

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

type DecidedLead = { programId: number; leadId: number; facts: LeadCallFacts; decidedAt: Date }

/** Whose lead it became, and why, to be kept beside the lead itself. */
const decisionOfLead = ({ programId, leadId, facts, decidedAt }: DecidedLead): NewDecision => {
  const result = attributeLead(facts)
  if (!result) throw new Error('a call that made a lead was decided to make one')
  return { programId, subject: 'lead', subjectId: leadId, of: { leadId }, rule: 'lead', facts, result, at: decidedAt }
}
