import type { LeadRequest } from '@tributary/contract'
import { decideLead, type LeadCallFacts } from '../attribution/attribute-lead.ts'
import type { Clock } from '../clock.ts'
import { type Customer, findCustomerByKey, lockCustomerByClick, lockCustomerKey } from '../customers/customers.ts'
import { keepEmail } from '../customers/emails.ts'
import { findLeadByClick } from '../customers/leads.ts'
import type { Database } from '../database/connect.ts'
import type { SharedTransactions } from '../database/shared-transactions.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { type Counted, count } from '../events/daily-counts.ts'
import { type Changing, recountChanged } from '../events/recount.ts'
import type { Program } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import { factsOfCustomer } from './facts-of-customer.ts'
import { makeLead } from './make-lead.ts'
import { makeProvisionalLead } from './make-provisional-lead.ts'

export type LeadCall = {
  program: Program
  event: LeadCallFacts['event']
  request: Pick<LeadRequest, 'customer_key' | 'click_id' | 'email'>
  /** When it happened, where that was before now. */
  happenedAt?: Date
}

export type RecordedLead =
  | { outcome: 'settled' | 'duplicate'; leadId: number; clickId: string; customerKey: string }
  | { outcome: 'provisional'; clickId: string }
  /** A browser hears that there is nothing to do, and nothing about whom it was done for. */
  | { outcome: 'duplicate_in_browser'; clickId: string }

type Telling = { clock: Clock; hashKey: string }
type Dependencies = Telling & { db: Database; shared: Pick<SharedTransactions, 'leads'> }

const REFUSALS = {
  missing_customer_key: [
    'customer_key',
    'Send customer_key: the stable ID that your own system has for this customer.',
  ],
  customer_unknown: [
    'click_id',
    'This customer_key is not known yet, so the call needs the click_id from the service_click_id cookie.',
  ],
  click_not_found: [
    'click_id',
    'No click of this program has this click_id. Send the value of the service_click_id cookie unchanged, with a key of its program, whose number it begins with.',
  ],
  click_expired: ['click_id', "This click is older than the program's cookie window, so it can no longer be credited."],
} as const

/** One story for every way a sign-up is reported. The settlement table decides; this carries the decision out. */
export const recordLead = (dependencies: Dependencies, call: LeadCall): Promise<RecordedLead> => {
  const { db, shared } = dependencies
  const story = async (tx: Tx) => {
    const known = await findKnownLead(tx, call)
    if (known) return known
    const { counted, changing = [], ...lead } = await settleInTransaction(tx, dependencies, call)
    await count(tx, counted)
    await recountChanged(tx, { changing, at: dependencies.clock() })
    return lead
  }
  const { program, request } = call
  // Most sign-ups of a merchant who reports all of them; they are refused, which would undo what shares their transaction.
  if (!request.click_id) return inTransaction(db, story)
  const names = [
    `click ${request.click_id}`,
    ...(request.customer_key ? [`${program.id} ${request.customer_key}`] : []),
  ]
  return shared.leads(names, story, () => findKnownLead(db, call))
}

/** Merchants send the same lead again and again. Settled is final, so a known key needs no lock. */
const findKnownLead = async (tx: Database | Tx, { program, event, request }: LeadCall) => {
  if (event === 'browser_sign_up' || !request.customer_key) return null
  const key = { programId: program.id, customerKey: request.customer_key }
  const known = await findCustomerByKey(tx, key)
  return known ? duplicateOf(tx, program.id, known) : null
}

type Counting = { counted: Counted[]; changing?: Changing[] }

/** The story itself, for whoever has a transaction already. What is to be counted is left to the end of that. */
export const settleInTransaction = async (
  tx: Tx,
  { clock, hashKey }: Telling,
  { program, event, request, happenedAt }: LeadCall,
): Promise<RecordedLead & Counting> => {
  const now = clock()
  const at = happenedAt && happenedAt < now ? happenedAt : now
  const programId = program.id
  const customerKey = (await mayNameCustomer(tx, { program, event, request })) ? (request.customer_key ?? null) : null
  // The key, then the click: the order of every story.
  if (customerKey !== null) await lockCustomerKey(tx, { programId, customerKey })
  const known = customerKey === null ? undefined : await findCustomerByKey(tx, { programId, customerKey })
  const record = request.click_id ? await lockCustomerByClick(tx, { programId, clickId: request.click_id }) : undefined
  const lead = record && (await findLeadByClick(tx, { programId, clickId: record.clickId }))

  const facts: LeadCallFacts = {
    event,
    at,
    leadAuth: program.leadAuth,
    attributionModel: program.attributionModel,
    cookieWindowDays: program.cookieWindowDays,
    customerKey: customerKey === null ? 'absent' : known ? 'known' : 'new',
    click: request.click_id ? (record ? 'found' : 'unknown') : 'absent',
    lead: lead?.state === 'settled' ? 'settled' : lead ? 'provisional' : 'none',
    record: record ? factsOfCustomer(record) : null,
    clicks: [],
  }
  const decision = decideLead(facts)

  if (decision.outcome === 'refuse') {
    const [field, message] = REFUSALS[decision.code]
    throw new Refusal(decision.code, message, { field })
  }
  if (decision.outcome === 'duplicate') {
    if (event === 'browser_sign_up')
      return { outcome: 'duplicate_in_browser', clickId: request.click_id ?? '', counted: [] }
    return { ...(await duplicateOf(tx, programId, known)), counted: [] }
  }
  if (decision.outcome === 'unchanged' || !record) throw new Error(`a lead call cannot end as ${decision.outcome}`)
  if (decision.outcome === 'provisional') {
    await makeProvisionalLead(tx, { programId, facts, record, decidedAt: now })
    return { outcome: 'provisional', clickId: record.clickId, counted: [] }
  }
  if (customerKey === null) throw new Error('a lead settles for a customer key')
  const email = keepEmail(hashKey, request.email)
  return makeLead(tx, {
    hashKey,
    now,
    program,
    facts,
    record,
    customerKey,
    email,
    second: decision.outcome === 'settle_second_customer',
  })
}

/** Where a browser's call cannot settle anything, its word for the customer is not stored in any form, locks included. */
const mayNameCustomer = async (tx: Tx, { program, event, request: { click_id: clickId } }: LeadCall) => {
  if (event !== 'browser_sign_up') return true
  if (program.leadAuth !== 'browser_allowed') return false
  // Settled is final, so this look needs no lock.
  const lead = clickId ? await findLeadByClick(tx, { programId: program.id, clickId }) : undefined
  return lead?.state !== 'settled'
}

const duplicateOf = async (
  tx: Database | Tx,
  programId: number,
  known: Customer | undefined,
): Promise<RecordedLead> => {
  const lead = known && (await findLeadByClick(tx, { programId, clickId: known.clickId }))
  if (!lead || known.customerKey === null) throw new Error('a known customer key has a settled lead')
  return { outcome: 'duplicate', leadId: lead.id, clickId: known.clickId, customerKey: known.customerKey }
}
