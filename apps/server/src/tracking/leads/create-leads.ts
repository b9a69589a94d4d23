import { sql } from 'kysely'
import { attributeLead, type LeadCallFacts } from '../../attribution/attribution.ts'
import { type Customer, hashesOf, type StoredEmail, settleCustomers } from '../../customers/customers.ts'
import { erasedKeyHash } from '../../customers/erased-customers.ts'
import { nextLeadId, provisionalLeadId, settleLeads, storeProvisionalLead } from '../../customers/leads.ts'
import { mailboxOf } from '../../customers/mailboxes.ts'
import { payersOf } from '../../customers/payer-mailboxes.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import { leadPaidBefore } from '../../database/sql/paid-before.ts'
import type { Tx } from '../../database/transaction.ts'
import { findClicksOfRecords } from '../../events/clicks-of-record.ts'
import { markDaysWritten } from '../../events/roll-up/changed-days.ts'
import { type NewDecision, storeDecision } from '../../explain/decisions.ts'
import { termsOfEvent } from '../../money/rewards/reward-terms.ts'
import { isVisit } from '../../partners/partner-visits.ts'
import type { Program } from '../../programs/programs.ts'
import { lockAllWaitingSales, type WaitingSale } from '../../sales/customer-sales.ts'
import { newClickId } from '../clicks/click-ids.ts'
import {
  type EarningEvent,
  earnAll,
  lockedPartners,
  type RewardFacts,
  type RewardRow,
  toRewardFacts,
} from '../commissions/earn-commissions.ts'
import { settleFirstSale } from '../commissions/settle-first-sale.ts'
import { creditWaitingSales } from './credit-waiting-sales.ts'
import { reviewOwnEarnings } from './review-own-earnings.ts'

export type NewLead = {
  now: Date
  program: Program
  facts: LeadCallFacts
  record: Customer
  /** The record whose clicks show the visitor, if a promotion code has one of its own. */
  clicked?: Customer | undefined
  customerKey: string
  email: StoredEmail | null
  /** The click already belongs to another customer. */
  isSecondCustomer: boolean
  /** The start of a second customer's click ID. */
  cell?: string | undefined
}

/** Settles leads: saves their customer keys, creates commissions and credits sales that arrived first. Returns the same leads. */
export const createLeads = async <Lead extends NewLead>(tx: Tx, hashKey: string, newLeads: Lead[]) => {
  const leads = newLeads.map((lead) => Object.assign(lead, toRow(hashKey, lead), NOT_SEEN))
  const seen = leads.map((lead) => ({ ...NOT_SEEN, ...lead, record: lead.clicked ?? lead.record }))
  await findClicksOfRecords(tx, seen)
  for (const [index, { visitorHash, clicks }] of seen.entries())
    Object.assign(leads[index] as Lead, { visitorHash, clicks })
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

const NOT_SEEN = { visitorHash: null as Uint8Array | null, clicks: [] as LeadCallFacts['clicks'] }

const SETTLED_BY = { server_lead: 'server', browser_sign_up: 'browser', processor_payment: 'processor' } as const

const toRow = (hashKey: string, { program, facts, record, customerKey, isSecondCustomer, cell }: NewLead) => ({
  programId: program.id,
  timezone: program.timezone,
  creditSource: record.creditSource,
  linkId: record.linkId,
  codeId: record.codeId,
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
  const { clickId, creditSource, linkId, codeId, partnerId } = record
  const { at } = facts
  const leadId = await storeProvisionalLead(tx, { programId, clickId, creditSource, linkId, codeId, partnerId, at })
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

type LeadToLoad = {
  programId: number
  partnerId: number
  clickId: string
  customerKey: string
  email: StoredEmail | null
  at: Date
  timezone: string
  visitorHash: Uint8Array | null
  erasedKeyHash: Buffer
}

type LoadedLead = {
  leadId: number
  /** A browser has reported the lead, which did not settle it. */
  isProvisional: boolean
  reward: RewardFacts
  /** The visitor's leads on that day, including this one. */
  leadsOfVisitor: number
  /** Sales with the customer's key wait for a lead. */
  hasWaitingSales: boolean
  /** A sale with only a click ID is already credited to the click. */
  hasBought: boolean
  /** A sale with the customer's key is already credited to a click. */
  isSoldByClick: boolean
  /** An erased customer with the same key earned a lead commission. */
  rewardedBefore: boolean
  /** An erased customer with the same key already bought something. */
  hasBoughtBefore: boolean
}

type Row = Omit<RewardRow, 'customerKey' | 'emailHash' | 'mailboxHash'> &
  Omit<LoadedLead, 'reward' | 'rewardedBefore' | 'hasBoughtBefore'> & {
    day: string
    rewardedBefore: boolean | null
    hasBoughtBefore: boolean | null
  }

const namesOf = ({ customerKey, email }: LeadToLoad) => ({
  customerKey,
  emailHash: email?.hash ?? null,
  mailboxHash: email?.mailboxHash ?? null,
})

/** High enough to flag a visitor, low enough to count for every lead. */
const MAX_COUNTED = 100

/**
 * Fills in everything that new leads depend on, and their IDs, in one statement. The caller holds the locks on the keys, the clicks
 * and the reward terms, so no sale or lead of these customers can be missed. Share-locks the partners.
 */
const loadLeadFacts = async <Lead extends LeadToLoad>(
  tx: Tx,
  hashKey: string,
  leads: Lead[],
): Promise<(Lead & LoadedLead)[]> => {
  const column = columnsOf<LeadToLoad>(leads)
  const { rows } = await sql<Row>`
    WITH event AS MATERIALIZED (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('clickId', 'text')},
        ${column('customerKey', 'text')}, ${column('at', 'timestamptz')}, ${column('timezone', 'text')},
        ${column('visitorHash', 'bytea')}, ${column('erasedKeyHash', 'bytea')})
        WITH ORDINALITY AS event(program_id, partner_id, click_id, customer_key, at, timezone, visitor_hash, key_hash, position)),
    partner AS MATERIALIZED (${lockedPartners})
    SELECT position, local_day AS day, terms.*, partner.status, partner.emails, partner.destination, erased.*,
      ${payersOf('event')} AS payers, ${isVisit(sql`event.visitor_hash`)} AS is_seen_as_partner,
      coalesce(${provisionalLeadId}, ${nextLeadId}) AS lead_id, ${provisionalLeadId} IS NOT NULL AS is_provisional,
      (SELECT count(*) FROM (
        SELECT FROM leads WHERE leads.program_id = event.program_id AND leads.visitor_hash = event.visitor_hash
          AND leads.day = local_day LIMIT ${sql.lit(MAX_COUNTED)}) lead) AS leads_of_visitor,
      EXISTS (SELECT FROM sales WHERE sales.program_id = event.program_id AND sales.customer_key = event.customer_key
        AND sales.credit_source IS NULL AND sales.voided_at IS NULL) AS has_waiting_sales,
      EXISTS (SELECT FROM sales WHERE sales.program_id = event.program_id AND sales.click_id = event.click_id
        AND sales.voided_at IS NULL) AS has_bought,
      EXISTS (SELECT FROM sales WHERE sales.program_id = event.program_id AND sales.customer_key = event.customer_key
        AND sales.credit_source IS NOT NULL AND sales.voided_at IS NULL) AS is_sold_by_click
    FROM event JOIN partner ON partner.program_id = event.program_id AND partner.id = event.partner_id
    CROSS JOIN LATERAL (SELECT (event.at AT TIME ZONE event.timezone)::date AS local_day) local
    LEFT JOIN LATERAL (${termsOfEvent}) terms ON true
    LEFT JOIN LATERAL (
      SELECT ${leadPaidBefore('earlier')} AS rewarded_before, num_nonnulls(first_sold_at, unpaid_sold_at) > 0 AS has_bought_before
      FROM (SELECT program_id, lead_rewarded AS rewarded_before, lead_unpaid AS unpaid_before, first_sold_at, unpaid_sold_at
        FROM erased_customers WHERE erased_customers.program_id = event.program_id
          AND erased_customers.key_hash = event.key_hash) earlier) erased ON true`.execute(tx)
  const found = new Map(rows.map((row) => [row.position, row]))
  const earlier = new Map<string, number>()
  return leads.map((lead, index) => {
    const row = found.get(index + 1)
    if (!row) throw new Error('The credited partner does not exist in the program')
    const { leadId, isProvisional, leadsOfVisitor, hasWaitingSales, hasBought, isSoldByClick, day, ...rest } = row
    const { rewardedBefore, hasBoughtBefore, ...reward } = rest
    const visitor = lead.visitorHash && `${lead.programId} ${day} ${lead.visitorHash.toHex()}`
    const earlierInBatch = earlier.get(visitor ?? '') ?? 0
    if (visitor) earlier.set(visitor, earlierInBatch + 1)
    return Object.assign(lead, {
      leadId,
      isProvisional,
      hasWaitingSales,
      hasBought,
      isSoldByClick,
      reward: toRewardFacts(hashKey, { ...reward, ...namesOf(lead) }),
      leadsOfVisitor: visitor ? leadsOfVisitor + earlierInBatch + 1 : 0,
      rewardedBefore: rewardedBefore ?? false,
      hasBoughtBefore: hasBoughtBefore ?? false,
    })
  })
}
