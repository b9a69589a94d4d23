import {
  attributeLead,
  attributeSale,
  type LeadCallFacts,
  type SaleFacts,
} from '../../apps/server/src/attribution/attribution.ts'
import { hashEmail } from '../../apps/server/src/customers/customers.ts'
import { RULE_VERSIONS, type RuleName, toJson } from '../../apps/server/src/explain/decisions.ts'
import { type CommissionFacts, decideCommission } from '../../apps/server/src/money/rewards/rewards.ts'
import type { Program } from '../../apps/server/src/programs/programs.ts'
import { hashSaleRequest } from '../../apps/server/src/tracking/sales/create-sales.ts'
import { bytea, type Cell, rowOf } from './copy.ts'
import type { Visitor } from './visitors.ts'

const MINUTE_MS = 60_000
const EVENTS = ['lead', 'sale'] as const

export type Link = { id: number; partnerId: number }
export type Terms = NonNullable<CommissionFacts['terms']>
/** A visitor who signed up and perhaps bought. */
export type Outcome = {
  visitor: Visitor
  link: Link
  leadId: number
  saleId: number | null
  commissionId: number
  until: Date
}
export type Rules = { program: Program; terms: Terms; hashKey: string }

/** Tables in foreign key order, with the columns that are written. */
export const OUTCOME_TABLES = {
  customer_keys: 'program_id, customer_key, click_id',
  leads: 'program_id, id, click_id, state, settled_by, link_id, partner_id, created_at, settled_at, day, visitor_hash',
  payment_references: 'program_id, reference',
  sales:
    'program_id, id, invoice_id, customer_key, amount_cents, currency, request_hash, sold_at, day, click_id, credit_source, link_id, partner_id, credited_at',
  commissions:
    'program_id, id, kind, lead_id, sale_id, partner_id, amount_cents, currency, terms_version, earned_at, payable_at',
  decisions:
    'program_id, subject, subject_id, lead_id, sale_id, decided_at, rule, rule_version, outcome, reason, facts, result',
  ledger_lines:
    'program_id, partner_id, currency, from_account, to_account, amount_cents, available_at, cause, commission_id, created_at',
}
export type OutcomeRows = Record<keyof typeof OUTCOME_TABLES, string[]>
export const noRows = (): OutcomeRows => ({
  customer_keys: [],
  leads: [],
  payment_references: [],
  sales: [],
  commissions: [],
  decisions: [],
  ledger_lines: [],
})

export const keyOf = ({ clickId }: Visitor) => `user-${clickId}`
export const emailOf = ({ clickId }: Visitor, hashKey: string) => hashEmail(hashKey, `${clickId}@example.com`)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const before = (at: number, until: Date) => new Date(Math.min(at, until.getTime()))

/** Writes the rows that the tracking calls would have written, decided by the same rules. */
export const addOutcome = (rows: OutcomeRows, rules: Rules, outcome: Outcome) => {
  addLead(rows, rules, outcome)
  const { saleId } = outcome
  if (saleId !== null) addSale(rows, rules, { ...outcome, saleId })
}

/** The visitor has only one click, so it is the first, the last and the credited one. */
const clicksOf = ({ visitor, link }: Outcome) => {
  const clickedAt = new Date(visitor.atMs)
  const owner = { linkId: link.id, partnerId: link.partnerId }
  return {
    record: { ...owner, creditedClickAt: clickedAt, firstClickedAt: clickedAt, lastClickedAt: clickedAt },
    clicks: [{ id: visitor.eventId, ...owner, clickedAt }],
  }
}

const addLead = (rows: OutcomeRows, rules: Rules, outcome: Outcome) => {
  const { visitor, link, leadId, commissionId, until } = outcome
  const { id: programId, attributionModel, cookieWindowDays, leadAuth } = rules.program
  const { record, clicks } = clicksOf(outcome)
  const settledAt = before(visitor.atMs + 7 * MINUTE_MS, until)
  const at = settledAt.toISOString()
  const visitorHash = `\\\\x${visitor.visitorHash}`
  rows.customer_keys.push(rowOf([programId, keyOf(visitor), visitor.clickId]))
  rows.leads.push(
    rowOf([
      ...[programId, leadId, visitor.clickId, 'settled', 'server', link.id, link.partnerId],
      ...[at, at, dayOf(settledAt), visitorHash],
    ]),
  )
  const facts: LeadCallFacts = {
    event: 'server_lead',
    at: settledAt,
    leadAuth,
    attributionModel,
    cookieWindowDays,
    customerKey: 'new',
    click: 'found',
    lead: 'none',
    record: { ...record, isSettled: false },
    clicks,
  }
  const lead = { leadId, saleId: null, at: settledAt }
  decide(rows, programId, { ...lead, rule: 'lead', facts, result: attributeLead(facts) })
  const money: CommissionFacts = {
    terms: rules.terms,
    event: { kind: 'lead', settledAt },
    suspicions: { customerIsPartner: false, leadsOfVisitor: 1 },
    partnerStatus: 'approved',
  }
  earn(rows, rules, { ...lead, facts: money, commissionId, partnerId: link.partnerId })
  return settledAt
}

const addSale = (rows: OutcomeRows, rules: Rules, outcome: Outcome & { saleId: number }) => {
  const { visitor, link, saleId, commissionId, until } = outcome
  const { id: programId, attributionModel, cookieWindowDays, currency } = rules.program
  const { record, clicks } = clicksOf(outcome)
  const soldAt = before(visitor.atMs + 60 * MINUTE_MS, until)
  const at = soldAt.toISOString()
  const amountCents = 900 + (visitor.n % 200) * 100
  const invoiceId = `INV-${visitor.clickId}`
  const customerKey = keyOf(visitor)
  const nothingElse = { clickId: null, eventName: null, subscriptionId: null, metadata: null }
  const requestHash = hashSaleRequest({ invoiceId, customerKey, amountCents, currency, ...nothingElse })
  rows.payment_references.push(rowOf([programId, invoiceId]))
  rows.sales.push(
    rowOf([
      ...[programId, saleId, invoiceId, customerKey, amountCents, currency, bytea(requestHash), at],
      ...[dayOf(soldAt), visitor.clickId, 'click', link.id, link.partnerId, at],
    ]),
  )
  const facts: SaleFacts = {
    when: 'at_the_sale',
    soldAt,
    attributionModel,
    cookieWindowDays,
    customer: 'known',
    click: 'absent',
    record: { ...record, isSettled: true },
    clicks,
  }
  const sale = { leadId: null, saleId, at: soldAt }
  decide(rows, programId, { ...sale, rule: 'sale', facts, result: attributeSale(facts) })
  const money: CommissionFacts = {
    terms: rules.terms,
    event: { kind: 'sale', amountCents, currency, soldAt, firstSoldAt: null },
    suspicions: { customerIsPartner: false, leadsOfVisitor: 0 },
    partnerStatus: 'approved',
  }
  earn(rows, rules, { ...sale, facts: money, commissionId: commissionId + 1, partnerId: link.partnerId })
  return soldAt
}

type NewDecision = {
  rule: RuleName
  leadId: number | null
  saleId: number | null
  facts: object
  result: { outcome: string; reason: string } | null
  at: Date
}

const decide = (rows: OutcomeRows, programId: number, { rule, leadId, saleId, facts, result, at }: NewDecision) => {
  if (!result) throw new Error(`the ${rule} rule decided nothing`)
  const subject = EVENTS[saleId === null ? 0 : 1] as string
  const words: Cell[] = [
    programId,
    subject,
    saleId ?? leadId,
    leadId,
    saleId,
    at.toISOString(),
    rule,
    RULE_VERSIONS[rule],
  ]
  rows.decisions.push(rowOf([...words, result.outcome, result.reason, toJson(facts), toJson(result)]))
}

type NewCommission = {
  facts: CommissionFacts
  leadId: number | null
  saleId: number | null
  commissionId: number
  partnerId: number
  at: Date
}

const earn = (
  rows: OutcomeRows,
  { program }: Rules,
  { facts, leadId, saleId, commissionId, partnerId, at }: NewCommission,
) => {
  const result = decideCommission(facts)
  decide(rows, program.id, { rule: 'commission', leadId, saleId, facts, result, at })
  if (result.outcome === 'nothing') throw new Error(`the terms pay nothing: ${result.reason}`)
  const { kind } = facts.event
  const { amountCents, currency } = result.reward
  const payable = result.payableAt.toISOString()
  const [earned, version] = [at.toISOString(), result.termsVersion]
  rows.commissions.push(
    rowOf([program.id, commissionId, kind, leadId, saleId, partnerId, amountCents, currency, version, earned, payable]),
  )
  rows.ledger_lines.push(
    rowOf([
      program.id,
      partnerId,
      currency,
      'program',
      'earned',
      amountCents,
      payable,
      `${kind} commission`,
      commissionId,
      earned,
    ]),
  )
}
