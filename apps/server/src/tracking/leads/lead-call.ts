import type { LeadRequest } from '@tributary/contract'
import type { LeadCallFacts } from '../../attribution/attribute-lead.ts'
import type { CustomerRecord } from '../../attribution/candidates.ts'
import { type Customer, findCustomersByKey, lockCustomerKeys, lockCustomersByClick } from '../../customers/customers.ts'
import { findLeadsByClick } from '../../customers/leads.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'

export type LeadCall = {
  program: Program
  event: LeadCallFacts['event']
  request: Pick<LeadRequest, 'customer_key' | 'click_id' | 'email'>
  /** Set when the event happened earlier than the call. */
  happenedAt?: Date
}

/** Loads and locks the customer keys, then the clicks, that the calls refer to. The locks last until the transaction ends. */
export const lockCallRecords = async (tx: Tx, calls: LeadCall[]) => {
  const canName = await canNameCustomer(tx, calls)
  const keys = calls.map(({ program, request }, index) => ({
    programId: program.id,
    customerKey: (canName[index] && request.customer_key) || '',
  }))
  const known = await forSome(
    keys,
    ({ customerKey }) => customerKey !== '',
    async (some) => {
      await lockCustomerKeys(tx, some)
      return findCustomersByKey(tx, some)
    },
  )
  const records = await lockClickRecords(tx, calls, known)
  const leads = await forSome(
    calls.map(({ program, request }) => ({ programId: program.id, clickId: request.click_id ?? '' })),
    (_, index) => records[index] !== undefined,
    (some) => findLeadsByClick(tx, some),
  )
  return calls.map((_, index) => ({
    customerKey: keys[index]?.customerKey || null,
    known: known[index],
    record: records[index],
    lead: leads[index],
  }))
}

type KnownCustomers = Awaited<ReturnType<typeof findCustomersByKey>>

/** The record of each call's click. A confirmation also needs the known customer's record, so that one is locked too. */
const lockClickRecords = async (
  tx: Tx,
  calls: LeadCall[],
  known: KnownCustomers,
): Promise<(Customer | undefined)[]> => {
  const named = calls.flatMap(({ program, request }, index) => {
    const toConfirm = known[index]?.unverifiedSince && request.click_id ? known[index]?.clickId : null
    return [request.click_id, toConfirm].flatMap((clickId) => (clickId ? [{ programId: program.id, clickId }] : []))
  })
  const clicks = [...new Map(named.map((click) => [`${click.programId} ${click.clickId}`, click])).values()]
  const records = clicks.length > 0 ? await lockCustomersByClick(tx, clicks) : []
  return calls.map(({ program, request }) => {
    const index = clicks.findIndex(({ programId, clickId }) => programId === program.id && clickId === request.click_id)
    return index === -1 ? undefined : records[index]
  })
}

export type CallRecords = Awaited<ReturnType<typeof lockCallRecords>>[number]

/** The input of the lead settlement rule. */
export const buildLeadFacts = (
  { program, event, request }: LeadCall,
  { customerKey, known, record, lead }: CallRecords,
  at: Date,
): LeadCallFacts => ({
  event,
  at,
  leadAuth: program.leadAuth,
  ...settingsAt(program, at),
  customerKey: customerKey === null ? 'absent' : known ? 'known' : 'new',
  click: request.click_id ? (record ? 'found' : 'unknown') : 'absent',
  lead: lead?.state === 'settled' ? 'settled' : lead ? 'provisional' : 'none',
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
