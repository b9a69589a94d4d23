import { decideLead } from '../attribution/attribute-lead.ts'
import type { Clock } from '../clock.ts'
import { type Customer, findCustomerByKey } from '../customers/customers.ts'
import { keepEmail } from '../customers/emails.ts'
import { findLeadByClick } from '../customers/leads.ts'
import type { Database } from '../database/connect.ts'
import type { SharedTransactions } from '../database/shared-transactions.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import {
  findStored,
  type IdempotentCall,
  nameOfCall,
  type Replayable,
  runOnce,
} from '../idempotency/idempotency-keys.ts'
import { Refusal } from '../refusal.ts'
import { confirmLeadOf } from './confirm-lead.ts'
import { factsOfCall, type LeadCall, lockNamed } from './lead-call.ts'
import { makeLead } from './make-lead.ts'
import { makeProvisionalLead } from './make-provisional-lead.ts'

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
export const recordLead = (
  dependencies: Dependencies,
  call: LeadCall,
  once: IdempotentCall | null = null,
): Promise<Replayable<RecordedLead>> => {
  const { db, shared } = dependencies
  const { program, request } = call
  const record = async (tx: Tx) => {
    const known = await findKnownLead(tx, call)
    return known ?? settleInTransaction(tx, dependencies, call)
  }
  const story = async (tx: Tx) =>
    once ? named(call, await runOnce(tx, once, async () => unnamed(await record(tx)))) : record(tx)
  const findAnswer = async () => {
    const stored = await findStored<Unnamed>(db, once)
    if (stored) return named(call, stored)
    return once ? null : findKnownLead(db, call)
  }
  // Most sign-ups of a merchant who reports all of them; they are refused, which would undo what shares their transaction.
  if (!request.click_id) return inTransaction(db, story)
  const names = [
    nameOfClick(request.click_id),
    ...(request.customer_key ? [`${program.id} ${request.customer_key}`] : []),
    ...(once ? [nameOfCall(once)] : []),
  ]
  return shared.leads(names, story, { known: findAnswer, contested: () => contestedNames(db, call, names) })
}

/**
 * Only the first customer of a click settles its record. A settled lead is final, so all others get a record of their own and
 * need not wait for one another: a merchant who signs up a whole team through one link is not told to come back later.
 */
const contestedNames = async (db: Database, { program, request }: LeadCall, names: string[]) => {
  const clickId = request.click_id ?? ''
  const lead = await findLeadByClick(db, { programId: program.id, clickId })
  return lead?.state === 'settled' ? names.filter((name) => name !== nameOfClick(clickId)) : names
}

const nameOfClick = (clickId: string) => `click ${clickId}`

/** A stored answer holds no customer key: the repeated call names it, and erasing a customer leaves nothing behind. */
type Unnamed = Omit<Extract<RecordedLead, { leadId: number }>, 'customerKey'>

const unnamed = (lead: RecordedLead): Unnamed => {
  if (!('leadId' in lead)) throw new Error('a keyed lead has a number')
  const { customerKey: _, ...rest } = lead
  return rest
}

const named = ({ request }: LeadCall, lead: Replayable<Unnamed>) => ({
  ...lead,
  customerKey: request.customer_key ?? '',
})

/** Merchants send the same lead again and again. Settled is final, so a known key needs no lock, unless the call may confirm it. */
const findKnownLead = async (tx: Database | Tx, { program, event, request }: LeadCall) => {
  if (event === 'browser_sign_up' || !request.customer_key) return null
  const key = { programId: program.id, customerKey: request.customer_key }
  const known = await findCustomerByKey(tx, key)
  if (!known || (known.unverifiedSince !== null && request.click_id)) return null
  return duplicateOf(tx, program.id, known)
}

/** The story itself, for whoever has a transaction already. */
export const settleInTransaction = async (
  tx: Tx,
  { clock, hashKey }: Telling,
  call: LeadCall,
): Promise<RecordedLead> => {
  const { program, event, request, happenedAt } = call
  const now = clock()
  const named = await lockNamed(tx, call)
  const facts = factsOfCall(call, named, happenedAt && happenedAt < now ? happenedAt : now)
  const { customerKey, known, record } = named
  const decision = decideLead(facts)

  if (decision.outcome === 'refuse') {
    const [field, message] = REFUSALS[decision.code]
    throw new Refusal(decision.code, message, { field })
  }
  if (decision.outcome === 'duplicate') {
    if (event === 'browser_sign_up') return { outcome: 'duplicate_in_browser', clickId: request.click_id ?? '' }
    const duplicate = await duplicateOf(tx, program.id, known)
    if (!known || known.unverifiedSince === null || customerKey === null) return duplicate
    const by = event === 'server_lead' ? 'server' : 'processor'
    const clickId = request.click_id ?? null
    const confirming = { hashKey, program, customerKey, known, by, clickId, record, at: facts.at, now } as const
    await confirmLeadOf(tx, confirming)
    return duplicate
  }
  if (decision.outcome === 'unchanged' || !record) throw new Error(`a lead call cannot end as ${decision.outcome}`)
  if (decision.outcome === 'provisional') {
    await makeProvisionalLead(tx, { programId: program.id, facts, record, decidedAt: now })
    return { outcome: 'provisional', clickId: record.clickId }
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

const duplicateOf = async (
  tx: Database | Tx,
  programId: number,
  known: Customer | undefined,
): Promise<RecordedLead> => {
  const lead = known && (await findLeadByClick(tx, { programId, clickId: known.clickId }))
  if (!lead || known.customerKey === null) throw new Error('a known customer key has a settled lead')
  return { outcome: 'duplicate', leadId: lead.id, clickId: known.clickId, customerKey: known.customerKey }
}
