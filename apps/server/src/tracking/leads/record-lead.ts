import { decideLead, type LeadCallFacts } from '../../attribution/attribute-lead.ts'
import type { LeadDecision } from '../../attribution/settle-lead.ts'
import type { Recorder } from '../../clock.ts'
import { type Customer, findCustomerByKey, hashEmail } from '../../customers/customers.ts'
import { findLeadByClick, findLeadsByClick } from '../../customers/leads.ts'
import { type Batch, type Batches, isResult } from '../../database/batches.ts'
import type { Database } from '../../database/connect.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import {
  findStored,
  type IdempotentCall,
  nameOfCall,
  type Replayable,
  runEachOnce,
} from '../../idempotency/idempotency-keys.ts'
import { Refusal } from '../../refusal.ts'
import { confirmBrowserLead } from './confirm-lead.ts'
import { createLeads, createProvisionalLead, type NewLead } from './create-leads.ts'
import { buildLeadFacts, type ClaimedCall, claimKeysOfCalls, type LeadCall, lockClickRecords } from './lead-call.ts'

export type RecordedLead =
  | { outcome: 'settled' | 'duplicate'; leadId: number; clickId: string; customerKey: string }
  | { outcome: 'provisional'; clickId: string }
  /** A browser must not learn which customer the click belongs to. */
  | { outcome: 'duplicate_in_browser'; clickId: string }

/** A lead call with its Idempotency-Key, if it has one. */
type QueuedLead = { call: LeadCall; once: IdempotentCall | null }
export type LeadBatches = Batches<QueuedLead, Replayable<RecordedLead>>
type Dependencies = { db: Database; batches: { leads: Pick<LeadBatches, 'run' | 'alone'> } }

const REFUSALS = {
  missing_customer_key: ['customer_key', 'customer_key is missing. Send your own stable ID for the customer.'],
  customer_unknown: [
    'click_id',
    'No lead has this customer_key yet, so click_id is required. Send the value of the service_click_id cookie.',
  ],
  click_not_found: [
    'click_id',
    "No click in this program has this click_id. Send the value of the service_click_id cookie unchanged, with an API key of the click's program (the number at the start of the click_id).",
  ],
  click_expired: [
    'click_id',
    "This click is older than the program's attribution window and can no longer be credited. Send leads when customers sign up, or extend the window in the program settings.",
  ],
} as const

/** Records a lead from the merchant's server or a browser. The settlement rule decides what happens to it. */
export const recordLead = (
  { db, batches }: Dependencies,
  call: LeadCall,
  once: IdempotentCall | null = null,
): Promise<Replayable<RecordedLead>> => {
  const { program, request } = call
  // Merchants may report every sign-up. Most have no referral and are refused, so they skip the batch.
  if (!request.click_id) return batches.leads.alone({ call, once })
  const findKnown = async () => {
    const stored = await findStored<StoredLead>(db, once)
    if (stored) return withCustomerKey(call, stored)
    return once ? null : findKnownLead(db, call)
  }
  const names = [
    nameOfClick(request.click_id),
    ...(request.customer_key ? [`${program.id} ${request.customer_key}`] : []),
    ...(once ? [nameOfCall(once)] : []),
  ]
  return batches.leads.run(names, { call, once }, { findKnown, contested: () => contestedNames(db, call, names) })
}

/** Records a batch of concurrent leads, each Idempotency-Key once. */
export const recordLeads =
  (recorder: Recorder): Batch<QueuedLead, Replayable<RecordedLead>> =>
  async (tx, queued) => {
    const outcomes = await runEachOnce(
      tx,
      queued.map(({ once }) => once),
      async (indexes) => {
        const some = indexes.map((index) => queued[index] as QueuedLead)
        const leads = await findOrSettle(
          tx,
          recorder,
          some.map(({ call }) => call),
        )
        return leads.map((lead, index) => (some[index]?.once && isResult(lead) ? withoutCustomerKey(lead) : lead))
      },
    )
    return outcomes.map((lead, index) => {
      const { call, once } = queued[index] as QueuedLead
      return once && isResult(lead) ? withCustomerKey(call, lead as Replayable<StoredLead>) : (lead as RecordedLead)
    })
  }

/**
 * Only the first customer of a click settles the click's record; later ones get separate records and need no lock on the click.
 * This keeps calls from queueing up when a whole team signs up through one link.
 */
const contestedNames = async (db: Database, { program, request }: LeadCall, names: string[]) => {
  const clickId = request.click_id ?? ''
  const lead = await findLeadByClick(db, { programId: program.id, clickId })
  return lead?.state === 'settled' ? names.filter((name) => name !== nameOfClick(clickId)) : names
}

const nameOfClick = (clickId: string) => `click ${clickId}`

/** Stored responses omit the customer key, so erasing a customer leaves no copy here. The repeated call supplies it. */
type StoredLead = Omit<Extract<RecordedLead, { leadId: number }>, 'customerKey'>

const withoutCustomerKey = (lead: RecordedLead): StoredLead => {
  if (!('leadId' in lead)) throw new Error('A lead from a keyed call has no ID')
  const { customerKey: _, ...rest } = lead
  return rest
}

const withCustomerKey = ({ request }: LeadCall, lead: Replayable<StoredLead>) => ({
  ...lead,
  customerKey: request.customer_key ?? '',
})

/** Merchants often repeat leads. A settled lead never changes, so a known key needs no lock unless the call may confirm it. */
const findKnownLead = async (db: Database, call: LeadCall): Promise<RecordedLead | null> => {
  const { program, event, request } = call
  if (event === 'browser_sign_up' || !request.customer_key) return null
  const known = await findCustomerByKey(db, { programId: program.id, customerKey: request.customer_key })
  const claimed = { call, customerKey: request.customer_key, known }
  return isKnownLead(claimed) ? ((await findDuplicates(db, [claimed]))[0] ?? null) : null
}

const isKnownLead = ({ call: { event, request }, known }: ClaimedCall) =>
  event !== 'browser_sign_up' && known !== undefined && (known.unverifiedSince === null || !request.click_id)

const findOrSettle = async (tx: Tx, recorder: Recorder, calls: LeadCall[]): Promise<(RecordedLead | Refusal)[]> => {
  const claimed = await claimKeysOfCalls(tx, calls)
  const known = await forSome(claimed, isKnownLead, (some) => findDuplicates(tx, some))
  const settled = await forSome(
    claimed,
    (one) => !isKnownLead(one),
    (some) => settleClaimedLeads(tx, recorder, some),
  )
  return calls.map((_, index) => (known[index] ?? settled[index]) as RecordedLead | Refusal)
}

/** Settles leads inside the caller's transaction, which has claimed their keys. Returns the refusals instead of throwing them. */
export const settleClaimedLeads = async (
  tx: Tx,
  { clock, hashKey, cell }: Recorder,
  claimed: ClaimedCall[],
): Promise<(RecordedLead | Refusal)[]> => {
  const now = clock()
  const records = await lockClickRecords(tx, claimed)
  const decided = claimed.map((one, index): DecidedCall => {
    const { happenedAt } = one.call
    const record = records[index]
    const facts = buildLeadFacts(one, record, happenedAt && happenedAt < now ? happenedAt : now)
    return { ...one, record, facts, now, decision: decideLead(facts) }
  })
  const settling = decided.filter(({ decision }) => isSettling(decision))
  const created =
    settling.length > 0
      ? await createLeads(
          tx,
          hashKey,
          settling.map((one) => toNewLead({ hashKey, cell }, one)),
        )
      : []
  const outcomes: (RecordedLead | Refusal)[] = []
  for (const one of decided)
    outcomes.push(
      isSettling(one.decision)
        ? (created[settling.indexOf(one)] as RecordedLead)
        : await answerWithoutSettling(tx, hashKey, one),
    )
  return outcomes
}

type DecidedCall = ClaimedCall & {
  record: Customer | undefined
  facts: LeadCallFacts
  now: Date
  decision: LeadDecision
}

const isSettling = ({ outcome }: LeadDecision) => outcome === 'settle' || outcome === 'settle_second_customer'

const toNewLead = (
  { hashKey, cell }: Pick<Recorder, 'hashKey' | 'cell'>,
  { call, record, customerKey, facts, now, decision }: DecidedCall,
): NewLead => {
  if (!record || customerKey === null) throw new Error('Settling a lead needs a customer key and a click')
  const email = hashEmail(hashKey, call.request.email)
  const isSecondCustomer = decision.outcome === 'settle_second_customer'
  return { now, program: call.program, facts, record, customerKey, email, isSecondCustomer, cell }
}

/** Handles refusals, provisional browser leads and duplicates. A duplicate may confirm the customer. */
const answerWithoutSettling = async (
  tx: Tx,
  hashKey: string,
  decided: DecidedCall,
): Promise<RecordedLead | Refusal> => {
  const { call, customerKey, known, record, facts, now, decision } = decided
  const { program, event, request } = call
  if (decision.outcome === 'refuse') {
    const [field, message] = REFUSALS[decision.code]
    return new Refusal(decision.code, message, { field })
  }
  if (decision.outcome === 'provisional' && record) {
    await createProvisionalLead(tx, { programId: program.id, facts, record, decidedAt: now })
    return { outcome: 'provisional', clickId: record.clickId }
  }
  if (decision.outcome !== 'duplicate') throw new Error(`Unexpected lead decision: ${decision.outcome}`)
  if (event === 'browser_sign_up') return { outcome: 'duplicate_in_browser', clickId: request.click_id ?? '' }
  if (!known) throw new Error('A duplicate lead has no known customer')
  const [duplicate] = await findDuplicates(tx, [decided])
  if (known.unverifiedSince !== null && customerKey !== null) {
    const by = event === 'server_lead' ? 'server' : 'processor'
    const clickId = request.click_id ?? null
    await confirmBrowserLead(tx, { hashKey, program, customerKey, known, by, clickId, record, at: facts.at, now })
  }
  return duplicate as RecordedLead
}

/** The original response for each of these customers, marked as a duplicate. */
const findDuplicates = async (tx: Database | Tx, claimed: ClaimedCall[]): Promise<RecordedLead[]> => {
  const customers = claimed.map(({ call, known }) => ({ programId: call.program.id, clickId: known?.clickId ?? '' }))
  const leads = await findLeadsByClick(tx, customers)
  return claimed.map(({ known }, index) => {
    const lead = leads[index]
    if (!lead || !known || known.customerKey === null) throw new Error('A known customer key has no settled lead')
    return { outcome: 'duplicate', leadId: lead.id, clickId: known.clickId, customerKey: known.customerKey }
  })
}
