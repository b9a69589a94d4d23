import type { LeadRequest } from '@tributary/contract'
import type { LeadCallFacts } from '../../attribution/attribute-lead.ts'
import type { CustomerRecord } from '../../attribution/candidates.ts'
import {
  type Customer,
  type CustomerId,
  claimCustomerKeys,
  type KnownCustomer,
  lockCustomersByClick,
} from '../../customers/customers.ts'
import { findLeadsByClick } from '../../customers/leads.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { sharedTermsLock } from '../../money/rewards/reward-terms.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'

export type LeadCall = {
  program: Program
  event: LeadCallFacts['event']
  request: Pick<LeadRequest, 'customer_key' | 'click_id' | 'email'>
  /** Set when the event happened earlier than the call. */
  happenedAt?: Date
}

/** A call with the customer of its key, if known. Other keys are locked, and so is the key of an unverified customer. */
export type ClaimedCall = { call: LeadCall; customerKey: string | null; known: KnownCustomer | undefined }

/** Finds the calls' customers and locks their keys and the reward terms until the transaction ends. */
export const claimKeysOfCalls = async (tx: Tx, calls: LeadCall[]): Promise<ClaimedCall[]> => {
  const canName = await canNameCustomer(tx, calls)
  const keys = calls.map(({ program, request }, index) => ({
    programId: program.id,
    customerKey: (canName[index] && request.customer_key) || '',
  }))
  const terms = sharedTermsLock(keys.map(({ programId }) => programId))
  const known = await forSome(
    keys,
    ({ customerKey }) => customerKey !== '',
    (some) => claimCustomerKeys(tx, some, terms),
  )
  return calls.map((call, index) => ({
    call,
    customerKey: keys[index]?.customerKey || null,
    known: known[index],
  }))
}

/** Locks the record of each call's click. A confirmation also needs the known customer's record, so that one is locked too. */
export const lockClickRecords = async (tx: Tx, claimed: ClaimedCall[]): Promise<(Customer | undefined)[]> => {
  const named = claimed.flatMap(({ call: { program, request }, known }) => {
    const toConfirm = known?.unverifiedSince && request.click_id ? known.clickId : null
    return [request.click_id, toConfirm].flatMap((clickId) => (clickId ? [{ programId: program.id, clickId }] : []))
  })
  const nameOf = ({ programId, clickId }: CustomerId) => `${programId} ${clickId}`
  const clicks = [...new Map(named.map((click) => [nameOf(click), click])).values()]
  const records = clicks.length > 0 ? await lockCustomersByClick(tx, clicks) : []
  const byClick = new Map(clicks.map((click, index) => [nameOf(click), records[index]]))
  return claimed.map(({ call: { program, request } }) =>
    byClick.get(nameOf({ programId: program.id, clickId: request.click_id ?? '' })),
  )
}

/** The input of the lead settlement rule. */
export const buildLeadFacts = (
  { call: { program, event, request }, customerKey, known }: ClaimedCall,
  record: Customer | undefined,
  at: Date,
): LeadCallFacts => ({
  event,
  at,
  leadAuth: program.leadAuth,
  ...settingsAt(program, at),
  customerKey: customerKey === null ? 'absent' : known ? 'known' : 'new',
  click: request.click_id ? (record ? 'found' : 'unknown') : 'absent',
  // A record gets its key when its lead settles. Whether there is a provisional lead decides nothing and is loaded later.
  lead: record && record.customerKey !== null ? 'settled' : 'none',
  record: record ? toCustomerRecord(record) : null,
  clicks: [],
})

/** A browser call that cannot settle a lead must not store its customer key in any form, not even as a lock. */
const canNameCustomer = async (tx: Tx, calls: LeadCall[]): Promise<boolean[]> => {
  const isAllowed = ({ program }: LeadCall) => program.leadAuth === 'browser_allowed'
  // A settled lead never changes, so this read needs no lock.
  const leads = await forSome(
    calls,
    (call) => call.event === 'browser_sign_up' && isAllowed(call),
    (some) =>
      findLeadsByClick(
        tx,
        some.map(({ program, request }) => ({ programId: program.id, clickId: request.click_id ?? '' })),
      ),
  )
  return calls.map(
    (call, index) => call.event !== 'browser_sign_up' || (isAllowed(call) && leads[index]?.state !== 'settled'),
  )
}

/** The customer as rules see it and decisions store it: without click ID and customer key. */
export const toCustomerRecord = (customer: Customer): CustomerRecord => {
  const { linkId, partnerId, creditedClickAt, firstClickedAt, lastClickedAt, customerKey } = customer
  return { linkId, partnerId, creditedClickAt, firstClickedAt, lastClickedAt, isSettled: customerKey !== null }
}
