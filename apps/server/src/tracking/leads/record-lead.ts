import { decideLead, type LeadCallFacts } from '../../attribution/attribute-lead.ts'
import type { LeadDecision } from '../../attribution/settle-lead.ts'
import { type Customer, findCustomersByKey } from '../../customers/customers.ts'
import { keepEmail } from '../../customers/emails.ts'
import { findLeadByClick, findLeadsByClick } from '../../customers/leads.ts'
import { type Batch, type Batches, isResult } from '../../database/batches.ts'
import type { Database } from '../../database/connect.ts'
import { forOne, forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import {
  findStored,
  type IdempotentCall,
  nameOfCall,
  type Replayable,
  runEachOnce,
} from '../../idempotency/idempotency-keys.ts'
import { Refusal } from '../../refusal.ts'
import type { Recorder } from '../recorder.ts'
import { confirmLeadOf } from './confirm-lead.ts'
import { factsOfCall, type LeadCall, lockNamed, type Named } from './lead-call.ts'
import { type Making, makeLeads, makeProvisionalLead } from './make-lead.ts'

export type RecordedLead =
  | { outcome: 'settled' | 'duplicate'; leadId: number; clickId: string; customerKey: string }
  | { outcome: 'provisional'; clickId: string }
  /** A browser hears that there is nothing to do, and nothing about whom it was done for. */
  | { outcome: 'duplicate_in_browser'; clickId: string }

/** A sign-up that is reported, and its Idempotency-Key. */
type ToldLead = { call: LeadCall; once: IdempotentCall | null }
export type LeadBatches = Batches<ToldLead, Replayable<RecordedLead>>
type Dependencies = { db: Database; batches: { leads: Pick<LeadBatches, 'run' | 'alone'> } }

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

/** One operation for every way a sign-up is reported. The settlement table decides; this carries the decision out. */
export const recordLead = (
  { db, batches }: Dependencies,
  call: LeadCall,
  once: IdempotentCall | null = null,
): Promise<Replayable<RecordedLead>> => {
  const { program, request } = call
  // Most sign-ups of a merchant who reports all of them: nobody referred them, and the call is refused.
  if (!request.click_id) return batches.leads.alone({ call, once })
  const known = async () => {
    const stored = await findStored<Unnamed>(db, once)
    if (stored) return named(call, stored)
    return once ? null : findKnownLead(db, call)
  }
  const names = [
    nameOfClick(request.click_id),
    ...(request.customer_key ? [`${program.id} ${request.customer_key}`] : []),
    ...(once ? [nameOfCall(once)] : []),
  ]
  return batches.leads.run(names, { call, once }, { known, contested: () => contestedNames(db, call, names) })
}

/** All sign-ups that come at once, each once for its key. */
export const recordLeads =
  (using: Recorder): Batch<ToldLead, Replayable<RecordedLead>> =>
  async (tx, told) => {
    const outcomes = await runEachOnce(
      tx,
      told.map(({ once }) => once),
      async (places) => {
        const some = places.map((place) => told[place] as ToldLead)
        const leads = await knownOrSettled(
          tx,
          using,
          some.map(({ call }) => call),
        )
        return leads.map((lead, nth) => (some[nth]?.once && isResult(lead) ? unnamed(lead) : lead))
      },
    )
    return outcomes.map((lead, place) => {
      const { call, once } = told[place] as ToldLead
      return once && isResult(lead) ? named(call, lead as Replayable<Unnamed>) : (lead as RecordedLead)
    })
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
const findKnownLeads = async (tx: Database | Tx, calls: LeadCall[]): Promise<(RecordedLead | null)[]> => {
  const known = await forSome(
    calls.map((call) => ({ ...call, programId: call.program.id, customerKey: call.request.customer_key ?? '' })),
    ({ event, customerKey }) => event !== 'browser_sign_up' && customerKey !== '',
    (some) => findCustomersByKey(tx, some),
  )
  const isKnown = ({ request }: LeadCall, place: number) =>
    known[place] !== undefined && (known[place]?.unverifiedSince === null || !request.click_id)
  const answers = await forSome(calls, isKnown, (some) => {
    const customers = calls.flatMap((call, place) => (some.includes(call) ? [known[place] as Customer] : []))
    return duplicatesOf(tx, some, customers)
  })
  return answers.map((answer) => answer ?? null)
}

const findKnownLead = forOne(findKnownLeads)

const knownOrSettled = async (tx: Tx, using: Recorder, calls: LeadCall[]) => {
  const known = await findKnownLeads(tx, calls)
  const settled = await forSome(
    calls,
    (_, place) => known[place] === null,
    (some) => settleLeads(tx, using, some),
  )
  return known.map((lead, place) => lead ?? (settled[place] as RecordedLead | Refusal))
}

/** The same for whoever has a transaction already. Answers a refusal where the settlement table refuses. */
export const settleLeads = async (
  tx: Tx,
  { clock, hashKey }: Recorder,
  calls: LeadCall[],
): Promise<(RecordedLead | Refusal)[]> => {
  const now = clock()
  const all = await lockNamed(tx, calls)
  const decided = calls.map((call, place) => {
    const named = all[place] as Named
    const facts = factsOfCall(call, named, call.happenedAt && call.happenedAt < now ? call.happenedAt : now)
    return { call, named, facts, now, decision: decideLead(facts) }
  })
  const settling = decided.filter(({ decision }) => isSettling(decision))
  const made =
    settling.length > 0
      ? await makeLeads(
          tx,
          hashKey,
          settling.map((one) => makingOf(hashKey, one)),
        )
      : []
  const outcomes: (RecordedLead | Refusal)[] = []
  for (const one of decided)
    outcomes.push(
      isSettling(one.decision) ? (made[settling.indexOf(one)] as RecordedLead) : await settleOther(tx, hashKey, one),
    )
  return outcomes
}

type Decided = { call: LeadCall; named: Named; facts: LeadCallFacts; now: Date; decision: LeadDecision }

const isSettling = ({ outcome }: LeadDecision) => outcome === 'settle' || outcome === 'settle_second_customer'

const makingOf = (hashKey: string, { call, named, facts, now, decision }: Decided): Making => {
  const { record, customerKey } = named
  if (!record || customerKey === null) throw new Error('a lead settles for a customer key and a click')
  const email = keepEmail(hashKey, call.request.email)
  const second = decision.outcome === 'settle_second_customer'
  return { now, program: call.program, facts, record, customerKey, email, second }
}

/** A call that settles nothing: refused, a repeat, which may confirm a customer, or the word of a browser. */
const settleOther = async (tx: Tx, hashKey: string, decided: Decided): Promise<RecordedLead | Refusal> => {
  const { call, named, facts, now, decision } = decided
  const { program, event, request } = call
  const { customerKey, known, record } = named
  if (decision.outcome === 'refuse') {
    const [field, message] = REFUSALS[decision.code]
    return new Refusal(decision.code, message, { field })
  }
  if (decision.outcome === 'provisional' && record) {
    await makeProvisionalLead(tx, { programId: program.id, facts, record, decidedAt: now })
    return { outcome: 'provisional', clickId: record.clickId }
  }
  if (decision.outcome !== 'duplicate') throw new Error(`a lead call cannot end as ${decision.outcome}`)
  if (event === 'browser_sign_up') return { outcome: 'duplicate_in_browser', clickId: request.click_id ?? '' }
  if (!known) throw new Error('a repeated lead is of a known customer')
  const [duplicate] = await duplicatesOf(tx, [call], [known])
  if (known.unverifiedSince !== null && customerKey !== null) {
    const by = event === 'server_lead' ? 'server' : 'processor'
    const clickId = request.click_id ?? null
    await confirmLeadOf(tx, { hashKey, program, customerKey, known, by, clickId, record, at: facts.at, now })
  }
  return duplicate as RecordedLead
}

/** What was answered when each of these customers was first reported. */
const duplicatesOf = async (tx: Database | Tx, calls: LeadCall[], customers: Customer[]): Promise<RecordedLead[]> => {
  const leads = await findLeadsByClick(
    tx,
    customers.map(({ clickId }, place) => ({ programId: (calls[place] as LeadCall).program.id, clickId })),
  )
  return customers.map(({ clickId, customerKey }, place) => {
    const lead = leads[place]
    if (!lead || customerKey === null) throw new Error('a known customer key has a settled lead')
    return { outcome: 'duplicate', leadId: lead.id, clickId, customerKey }
  })
}
