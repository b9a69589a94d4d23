import { type LeadRequest, REASONS } from '@tributary/contract'
import { decideLead, type LeadCallFacts, type LeadDecision } from '../../attribution/attribution.ts'
import { type CodeFacts, chooseCode } from '../../attribution/codes.ts'
import type { Recorder } from '../../clock.ts'
import {
  type Customer,
  type CustomerId,
  claimCustomerKeys,
  findCustomerByKey,
  hashEmail,
  type KnownCustomer,
  lockCustomersByClick,
  recordOfCode,
  toCustomerRecord,
} from '../../customers/customers.ts'
import { checkClicks, type FoundLead, findLeadByClick, findLeadsByClick } from '../../customers/leads.ts'
import type { Batch, Batches, Outcome } from '../../database/batches.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import {
  findStored,
  type IdempotentCall,
  nameOfCall,
  type Replayable,
  runEachOnce,
} from '../../idempotency/idempotency-keys.ts'
import { sharedTermsLock } from '../../money/rewards/reward-terms.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { newClickId } from '../clicks/click-ids.ts'
import { findStatedCodes } from '../codes/stated-codes.ts'
import { confirmBrowserLead } from './confirm-lead.ts'
import { createLeads, createProvisionalLead, type NewLead } from './create-leads.ts'

export type RecordedLead =
  | {
      outcome: 'settled' | 'duplicate'
      leadId: number
      clickId: string
      customerKey: string
      /** Absent from responses stored before there were other credits. */
      creditedBy?: string
    }
  | { outcome: 'provisional'; clickId: string }
  /** A browser must not learn which customer the click belongs to. */
  | { outcome: 'duplicate_in_browser'; clickId: string }

/** A lead call with its Idempotency-Key, if it has one. */
type QueuedLead = LeadCall & { once: IdempotentCall | null }
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
    "No click in this program has this click_id. Send the value of the service_click_id cookie unchanged, with an API key of the click's program (the number at the start of the click_id, after the prefix of CELL if you set one).",
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
  if (!request.click_id && !request.promotion_code) return batches.leads.alone({ ...call, once })
  const findKnown = async () => {
    const stored = await findStored<StoredLead>(db, once)
    if (stored) return withCustomerKey(call, stored)
    return once ? null : findKnownLead(db, call)
  }
  const names = [
    ...(request.click_id ? [nameOfClick(request.click_id)] : []),
    ...(request.customer_key ? [`${program.id} ${request.customer_key}`] : []),
    ...(once ? [nameOfCall(once)] : []),
  ]
  return batches.leads.run(names, { ...call, once }, { findKnown, contested: () => contestedNames(db, call, names) })
}

type SettlingRow = LeadRow & { outcome?: Outcome<RecordedLead> }

/** Records a batch of concurrent leads, each Idempotency-Key once. */
export const recordLeads =
  (recorder: Recorder): Batch<QueuedLead, Replayable<RecordedLead>> =>
  (tx, rows) =>
    runEachOnce(tx, rows, (open) => findOrSettle(tx, recorder, open.map(toLeadRow)), {
      toStored: withoutCustomerKey,
      restore: (stored, row) => withCustomerKey(row, stored as Replayable<StoredLead>),
    })

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
  const row = { ...toLeadRow({ ...call }), known }
  return isKnownLead(row) ? ((await findDuplicates(db, [row])).get(row) ?? null) : null
}

const isKnownLead = ({ event, request, known }: LeadRow) =>
  event !== 'browser_sign_up' &&
  known !== undefined &&
  !known.lacksLead &&
  (known.unverifiedSince === null || !request.click_id)

const findOrSettle = async (tx: Tx, recorder: Recorder, rows: SettlingRow[]) => {
  await claimKeys(tx, rows)
  for (const [row, result] of await findDuplicates(tx, rows.filter(isKnownLead))) row.outcome = { result }
  await settleLeads(
    tx,
    recorder,
    rows.filter(({ outcome }) => !outcome),
  )
}

/** Settles leads inside the caller's transaction, which has claimed their keys, and fills in the outcomes. */
export const settleLeads = async (tx: Tx, { clock, hashKey, cell }: Recorder, rows: SettlingRow[]) => {
  if (rows.length === 0) return
  const now = clock()
  await lockClickRecords(tx, rows)
  await findLeadsOfBoundKeys(tx, rows)
  await findCodesOfCalls(tx, rows, now)
  const decided = rows.map((row): DecidedRow => {
    const { happenedAt } = row
    const facts = buildLeadFacts(row, happenedAt && happenedAt < now ? happenedAt : now)
    return Object.assign(row, { facts, now, decision: decideLead(facts) })
  })
  const settling = decided
    .filter(({ decision }) => isSettling(decision))
    .map((row) => toNewLead({ hashKey, cell }, row))
  if (settling.length > 0)
    for (const { row, leadId, clickId, customerKey, creditSource: creditedBy } of await createLeads(
      tx,
      hashKey,
      settling,
    ))
      row.outcome = { result: { outcome: 'settled', leadId, clickId, customerKey, creditedBy } }
  for (const row of decided) if (!isSettling(row.decision)) row.outcome = await answerWithoutSettling(tx, hashKey, row)
}

type DecidedRow = SettlingRow & { facts: LeadCallFacts; now: Date; decision: LeadDecision }

const isSettling = ({ outcome }: LeadDecision) =>
  outcome === 'settle' || outcome === 'settle_second_customer' || outcome === 'settle_by_code'

const toNewLead = (
  { hashKey, cell }: Pick<Recorder, 'hashKey' | 'cell'>,
  row: DecidedRow,
): NewLead & { row: DecidedRow } => {
  const { program, request, customerKey, facts, now, decision } = row
  const isByCode = decision.outcome === 'settle_by_code'
  const record = isByCode ? recordForCode(row, cell) : row.record
  if (!record || customerKey === null) throw new Error('Settling a lead needs a customer key and a click')
  const email = hashEmail(hashKey, request.email)
  const isSecondCustomer = decision.outcome === 'settle_second_customer'
  return {
    row,
    now,
    program,
    facts,
    record,
    ...(isByCode && { clicked: row.record }),
    customerKey,
    email,
    isSecondCustomer,
    cell,
  }
}

/** A promotion code gets a record of its own, so the click's stays open for its visitor. */
const recordForCode = ({ program, facts }: DecidedRow, cell?: string) => {
  const { winner } = chooseCode(facts)
  if (!winner) throw new Error('Settling a lead by code needs a code')
  const { codeId, partnerId } = winner
  const clickId = newClickId(program.id, facts.at, cell)
  return recordOfCode({ programId: program.id, clickId, customerKey: null, codeId, partnerId, usedAt: facts.at })
}

/** Handles refusals, provisional browser leads and duplicates. A duplicate may confirm the customer. */
const answerWithoutSettling = async (tx: Tx, hashKey: string, row: DecidedRow): Promise<Outcome<RecordedLead>> => {
  const { programId, program, event, request, customerKey, known, record, facts, now, decision } = row
  if (decision.outcome === 'refuse') {
    const [field, message] = refusalOf(decision.code, facts)
    // Claiming a key writes it.
    return { refusal: new Refusal(decision.code, message, { field }), isClean: customerKey === null }
  }
  if (decision.outcome === 'provisional' && record) {
    await createProvisionalLead(tx, { programId, facts, record, decidedAt: now })
    return { result: { outcome: 'provisional', clickId: record.clickId } }
  }
  if (decision.outcome !== 'duplicate') throw new Error(`Unexpected lead decision: ${decision.outcome}`)
  if (event === 'browser_sign_up')
    return { result: { outcome: 'duplicate_in_browser', clickId: request.click_id ?? '' } }
  const duplicate = (await findDuplicates(tx, [row])).get(row)
  if (!known || !duplicate) throw new Error('A duplicate lead has no known customer')
  if (known.unverifiedSince !== null && customerKey !== null) {
    const by = event === 'server_lead' ? 'server' : 'processor'
    const clickId = request.click_id ?? null
    await confirmBrowserLead(tx, { hashKey, program, customerKey, known, by, clickId, record, at: facts.at, now })
  }
  return { result: duplicate }
}

/** A call with a code that cannot be credited needs to know why. */
const refusalOf = (code: keyof typeof REFUSALS, facts: LeadCallFacts): readonly [string, string] => {
  const reason = facts.codes && chooseCode(facts).reason
  if (code !== 'customer_unknown' || !reason) return REFUSALS[code]
  return ['promotion_code', `${REASONS[reason]} Send a click_id, or a code of an approved partner for a new customer.`]
}

/** The original response for each of these customers, marked as a duplicate. */
const findDuplicates = async <One extends LeadRow>(tx: Database | Tx, rows: One[]): Promise<Map<One, RecordedLead>> => {
  if (rows.length === 0) return new Map()
  const found: { row: One; programId: number; clickId: string; lead?: FoundLead | undefined }[] = rows.map((row) => ({
    row,
    programId: row.programId,
    clickId: row.known?.clickId ?? '',
  }))
  await findLeadsByClick(tx, found)
  return new Map(
    found.map(({ row, lead }) => {
      const { known } = row
      if (!lead || !known || known.customerKey === null) throw new Error('A known customer key has no settled lead')
      const { clickId, customerKey, creditSource: creditedBy } = known
      return [row, { outcome: 'duplicate', leadId: lead.id, clickId, customerKey, creditedBy }]
    }),
  )
}

type LeadCall = {
  program: Program
  event: LeadCallFacts['event']
  request: Pick<LeadRequest, 'customer_key' | 'click_id' | 'email' | 'promotion_code'>
  /** Set when the event happened earlier than the call. */
  happenedAt?: Date
  /** The processor's customer belongs to the click's record. */
  isBound?: boolean
}

/** A lead call, with what is filled in while it is settled. */
export type LeadRow = LeadCall & {
  programId: number
  /** Null if the call names none, or must not. */
  customerKey: string | null
  /** The customer with this key. Other keys are locked, and so is the key of an unverified customer. */
  known?: KnownCustomer | undefined
  /** The record of the call's click, locked. */
  record?: Customer | undefined
  /** What is known of the promotion code; absent if none was stated. */
  codeFacts?: CodeFacts
}

export const toLeadRow = <Call extends LeadCall>(call: Call): Call & LeadRow =>
  Object.assign(call, { programId: call.program.id, customerKey: null })

type KeyedRow = LeadRow & { customerKey: string }

/** Finds the calls' customers and locks their keys and the reward terms until the transaction ends. */
export const claimKeys = async (tx: Tx, rows: LeadRow[]) => {
  await nameCustomers(tx, rows)
  const keyed = rows.filter((row): row is KeyedRow => row.customerKey !== null)
  const termsLock = sharedTermsLock(rows.map(({ programId }) => programId))
  if (keyed.length > 0) await claimCustomerKeys(tx, keyed, termsLock)
}

/** A browser call that cannot settle a lead must not store its customer key in any form, not even as a lock. */
const nameCustomers = async (tx: Tx, rows: LeadRow[]) => {
  const clicks: (CustomerId & { row: LeadRow; canSettle?: boolean })[] = []
  for (const row of rows) {
    const { programId, program, event, request } = row
    row.customerKey = event === 'browser_sign_up' ? null : request.customer_key || null
    if (event === 'browser_sign_up' && program.leadAuth === 'browser_allowed')
      clicks.push({ programId, clickId: request.click_id ?? '', row })
  }
  await checkClicks(tx, clicks)
  for (const { row, canSettle } of clicks) if (canSettle) row.customerKey = row.request.customer_key || null
}

/** Locks the record of each call's click. A confirmation also needs the known customer's record, so that one is locked too. */
const lockClickRecords = async (tx: Tx, rows: LeadRow[]) => {
  const clicks = new Map<string, CustomerId & { record?: Customer | undefined }>()
  const nameOf = ({ programId, clickId }: CustomerId) => `${programId} ${clickId}`
  for (const { programId, request, known } of rows)
    for (const clickId of [
      request.click_id,
      known?.lacksLead || (request.click_id && known?.unverifiedSince) ? known.clickId : null,
    ])
      if (clickId) clicks.set(nameOf({ programId, clickId }), { programId, clickId })
  await lockCustomersByClick(tx, [...clicks.values()])
  for (const row of rows) {
    const clickId = row.known?.lacksLead ? row.known.clickId : (row.request.click_id ?? '')
    row.record = clicks.get(nameOf({ programId: row.programId, clickId }))?.record
  }
}

/** A key that a code bound is not locked by its call: read again under the lock on its record whether a lead was reported. */
const findLeadsOfBoundKeys = async (tx: Tx, rows: LeadRow[]) => {
  const bound = rows.flatMap(({ programId, known }) =>
    known?.lacksLead ? [{ known, programId, clickId: known.clickId, lead: undefined as FoundLead | undefined }] : [],
  )
  if (bound.length === 0) return
  await findLeadsByClick(tx, bound)
  for (const { known, lead } of bound) known.lacksLead = lead === undefined
}

/** Calls without a code, which are almost all, cost nothing. */
const findCodesOfCalls = async (tx: Tx, rows: LeadRow[], now: Date) => {
  const stated = rows.flatMap((row) => {
    const { program, event, request, customerKey, happenedAt } = row
    const at = happenedAt && happenedAt < now ? happenedAt : now
    return event === 'server_lead' && request.promotion_code
      ? [{ row, program, customerKey, at, codes: [{ code: request.promotion_code }], codeFacts: {} as CodeFacts }]
      : []
  })
  if (stated.length === 0) return
  await findStatedCodes(tx, stated)
  for (const { row, codeFacts } of stated) row.codeFacts = codeFacts
}

/** The input of the lead settlement rule. */
export const buildLeadFacts = (
  { program, event, request, customerKey, known, record, isBound, codeFacts }: LeadRow,
  at: Date,
): LeadCallFacts => ({
  event,
  at,
  leadAuth: program.leadAuth,
  ...settingsAt(program, at),
  customerKey: customerKey === null ? 'absent' : known ? (known.lacksLead ? 'bound' : 'known') : 'new',
  click: request.click_id ? (record ? 'found' : 'unknown') : 'absent',
  // A record gets its key when its lead settles. Whether there is a provisional lead decides nothing and is loaded later.
  lead: record && record.customerKey !== null ? 'settled' : 'none',
  ...(isBound && { isBound }),
  record: record ? toCustomerRecord(record) : null,
  clicks: [],
  ...codeFacts,
})
