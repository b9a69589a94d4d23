import type { LeadRequest } from '@tributary/contract'
import type { LeadCallFacts } from '../../attribution/attribute-lead.ts'
import { type Customer, findCustomersByKey, lockCustomerKeys, lockCustomersByClick } from '../../customers/customers.ts'
import { findLeadsByClick } from '../../customers/leads.ts'
import { forSome } from '../../database/sql/many.ts'
import type { Tx } from '../../database/transaction.ts'
import { type Program, settingsAt } from '../../programs/programs.ts'
import { factsOfCustomer } from './facts-of-customer.ts'

export type LeadCall = {
  program: Program
  event: LeadCallFacts['event']
  request: Pick<LeadRequest, 'customer_key' | 'click_id' | 'email'>
  /** When it happened, where that was before now. */
  happenedAt?: Date
}

/** Whom the calls speak of, and hold until the end of their transaction: the keys, then the clicks, in the order of everybody. */
export const lockNamed = async (tx: Tx, calls: LeadCall[]) => {
  const may = await mayNameCustomer(tx, calls)
  const keys = calls.map(({ program, request }, place) => ({
    programId: program.id,
    customerKey: (may[place] && request.customer_key) || '',
  }))
  const known = await forSome(
    keys,
    ({ customerKey }) => customerKey !== '',
    async (some) => {
      await lockCustomerKeys(tx, some)
      return findCustomersByKey(tx, some)
    },
  )
  const records = await lockRecords(tx, calls, known)
  const leads = await forSome(
    calls.map(({ program, request }) => ({ programId: program.id, clickId: request.click_id ?? '' })),
    (_, place) => records[place] !== undefined,
    (some) => findLeadsByClick(tx, some),
  )
  return calls.map((_, place) => ({
    customerKey: keys[place]?.customerKey || null,
    known: known[place],
    record: records[place],
    lead: leads[place],
  }))
}

type Known = Awaited<ReturnType<typeof findCustomersByKey>>

/** The record of the click that each call names. A confirmation needs that of the known customer as well, locked with the others. */
const lockRecords = async (tx: Tx, calls: LeadCall[], known: Known): Promise<(Customer | undefined)[]> => {
  const named = calls.flatMap(({ program, request }, place) => {
    const confirmed = known[place]?.unverifiedSince && request.click_id ? known[place]?.clickId : null
    return [request.click_id, confirmed].flatMap((clickId) => (clickId ? [{ programId: program.id, clickId }] : []))
  })
  const clicks = [...new Map(named.map((click) => [`${click.programId} ${click.clickId}`, click])).values()]
  const records = clicks.length > 0 ? await lockCustomersByClick(tx, clicks) : []
  return calls.map(({ program, request }) => {
    const at = clicks.findIndex(({ programId, clickId }) => programId === program.id && clickId === request.click_id)
    return at === -1 ? undefined : records[at]
  })
}

export type Named = Awaited<ReturnType<typeof lockNamed>>[number]

/** What the settlement table is asked with. */
export const factsOfCall = (
  { program, event, request }: LeadCall,
  { customerKey, known, record, lead }: Named,
  at: Date,
): LeadCallFacts => ({
  event,
  at,
  leadAuth: program.leadAuth,
  ...settingsAt(program, at),
  customerKey: customerKey === null ? 'absent' : known ? 'known' : 'new',
  click: request.click_id ? (record ? 'found' : 'unknown') : 'absent',
  lead: lead?.state === 'settled' ? 'settled' : lead ? 'provisional' : 'none',
  record: record ? factsOfCustomer(record) : null,
  clicks: [],
})

/** Where a browser's call cannot settle anything, its word for the customer is not stored in any form, locks included. */
const mayNameCustomer = async (tx: Tx, calls: LeadCall[]): Promise<boolean[]> => {
  const isAllowed = ({ program }: LeadCall) => program.leadAuth === 'browser_allowed'
  // Settled is final, so this look needs no lock.
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
    (call, place) => call.event !== 'browser_sign_up' || (isAllowed(call) && leads[place]?.state !== 'settled'),
  )
}
