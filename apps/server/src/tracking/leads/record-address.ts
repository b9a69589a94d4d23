import type { Recorder } from '../../clock.ts'
import {
  findCustomerByKey,
  hashEmail,
  hashesFromBrowser,
  hashesOf,
  lockCustomerKeyAlone,
  lockCustomerKeys,
} from '../../customers/customers.ts'
import { addAddress, addBrowserAddress } from '../../customers/store-address.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { findOwnEarners, reviewOwnEarnings } from './review-own-earnings.ts'

type Named = {
  programId: number
  customerKey: string
  address: string | null
  /** The click of a browser, which can name the address only of that click's customer. */
  browserClickId?: string
}

/**
 * A repeated lead can be the first to name the customer's address. It is stored, and if it is that of a partner who has earned from the
 * customer, those earnings go to review. The server's first address counts: it replaces one that only a browser named, and a
 * customer never gets another one. A browser's first address counts like one in the first lead, until the customer is confirmed.
 *
 * Two transactions, because a sale that is being recorded may have read the customer before the address was stored: the second
 * one waits for such sales at the key's lock. Repeating the lead repeats both.
 */
export const recordAddress = async ({ db, clock, hashKey }: Recorder & { db: Database }, named: Named) => {
  const email = hashEmail(hashKey, named.address)
  const customer = email && (await findCustomerByKey(db, named))
  if (!customer) return
  const { programId, customerKey, browserClickId } = named
  const { clickId } = customer
  const isBrowser = browserClickId !== undefined
  if (isBrowser && (browserClickId !== clickId || customer.unverifiedSince === null || customer.unverifiedUntil)) return
  const hashes = isBrowser ? hashesFromBrowser(email) : hashesOf(email)
  const isStored = ({ emailHash }: typeof customer) => emailHash !== null && hashes.emailHash?.equals(emailHash)
  // Other sales can hold the customer's key only without being theirs, if a browser named it.
  const own = { programId, clickId, customerKey: isBrowser ? null : customerKey, names: { keys: [], ...hashes } }
  if (isBrowser ? customer.emailHash === null : customer.mailboxHash === null) {
    const add = isBrowser ? addBrowserAddress : addAddress
    await inTransaction(db, (tx) => add(tx, { programId, clickId, email }))
  } else if (!isStored(customer) || (await findOwnEarners(db, hashKey, own)).length === 0) return
  await inTransaction(db, async (tx) => {
    // Sales of an unverified customer share the key before they lock it, so waiting for them to end would deadlock.
    await (isBrowser ? lockCustomerKeys(tx, [named]) : lockCustomerKeyAlone(tx, named))
    const current = await findCustomerByKey(tx, named)
    if (current && isStored(current)) await reviewOwnEarnings(tx, hashKey, [{ ...own, at: clock() }])
  })
}
