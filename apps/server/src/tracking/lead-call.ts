import type { LeadRequest } from '@tributary/contract'
import type { LeadCallFacts } from '../attribution/attribute-lead.ts'
import { findCustomerByKey, lockCustomerByClick, lockCustomerKey } from '../customers/customers.ts'
import { findLeadByClick } from '../customers/leads.ts'
import type { Tx } from '../database/transaction.ts'
import type { Program } from '../programs/programs.ts'
import { factsOfCustomer } from './facts-of-customer.ts'

export type LeadCall = {
  program: Program
  event: LeadCallFacts['event']
  request: Pick<LeadRequest, 'customer_key' | 'click_id' | 'email'>
  /** When it happened, where that was before now. */
  happenedAt?: Date
}

/** Whom the call speaks of, and holds until the end of its transaction: the key, then the click, the order of every story. */
export const lockNamed = async (tx: Tx, { program, event, request }: LeadCall) => {
  const programId = program.id
  const customerKey = (await mayNameCustomer(tx, { program, event, request })) ? (request.customer_key ?? null) : null
  if (customerKey !== null) await lockCustomerKey(tx, { programId, customerKey })
  const known = customerKey === null ? undefined : await findCustomerByKey(tx, { programId, customerKey })
  // A confirmation needs both records, which are locked in the order of the click writer.
  if (known?.unverifiedSince && request.click_id && known.clickId < request.click_id)
    await lockCustomerByClick(tx, { programId, clickId: known.clickId })
  const record = request.click_id ? await lockCustomerByClick(tx, { programId, clickId: request.click_id }) : undefined
  const lead = record && (await findLeadByClick(tx, { programId, clickId: record.clickId }))
  return { customerKey, known, record, lead }
}

type Named = Awaited<ReturnType<typeof lockNamed>>

/** What the settlement table is asked with. */
export const factsOfCall = (
  { program, event, request }: LeadCall,
  { customerKey, known, record, lead }: Named,
  at: Date,
): LeadCallFacts => ({
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
})

/** Where a browser's call cannot settle anything, its word for the customer is not stored in any form, locks included. */
const mayNameCustomer = async (tx: Tx, { program, event, request: { click_id: clickId } }: LeadCall) => {
  if (event !== 'browser_sign_up') return true
  if (program.leadAuth !== 'browser_allowed') return false
  // Settled is final, so this look needs no lock.
  const lead = clickId ? await findLeadByClick(tx, { programId: program.id, clickId }) : undefined
  return lead?.state !== 'settled'
}
