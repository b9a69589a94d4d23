import type { LeadRequest } from '@tributary/contract'
import type { LeadCallFacts } from '../../attribution/attribute-lead.ts'
import {
  type Customer,
  type CustomerId,
  claimCustomerKeys,
  type KnownCustomer,
  lockCustomersByClick,
  toCustomerRecord,
} from '../../customers/customers.ts'
import { checkClicks } from '../../customers/leads.ts'
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

/** A lead call, with what is filled in while it is settled. */
export type LeadRow = LeadCall & {
  programId: number
  /** Null if the call names none, or must not. */
  customerKey: string | null
  /** The customer with this key. Other keys are locked, and so is the key of an unverified customer. */
  known?: KnownCustomer | undefined
  /** The record of the call's click, locked. */
  record?: Customer | undefined
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
export const lockClickRecords = async (tx: Tx, rows: LeadRow[]) => {
  const clicks = new Map<string, CustomerId & { record?: Customer | undefined }>()
  const nameOf = ({ programId, clickId }: CustomerId) => `${programId} ${clickId}`
  for (const { programId, request, known } of rows)
    for (const clickId of [request.click_id, request.click_id && known?.unverifiedSince ? known.clickId : null])
      if (clickId) clicks.set(nameOf({ programId, clickId }), { programId, clickId })
  await lockCustomersByClick(tx, [...clicks.values()])
  for (const row of rows)
    row.record = clicks.get(nameOf({ programId: row.programId, clickId: row.request.click_id ?? '' }))?.record
}

/** The input of the lead settlement rule. */
export const buildLeadFacts = (
  { program, event, request, customerKey, known, record }: LeadRow,
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
