import type { Recorder } from '../../clock.ts'
import {
  addAddress,
  findCustomerByKey,
  hasAddress,
  hashEmail,
  lockCustomerKeyAlone,
} from '../../customers/customers.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { addressesOfPartner } from '../../partners/partner-users.ts'
import { reviewOwnEarnings } from './review-own-earnings.ts'

type Named = { programId: number; customerKey: string; address: string | null }

/**
 * A repeated lead can be the first from the server to name the customer's address. It is stored, and if it is the partner's own, what the partner
 * has earned from the customer goes to review. The server's first address counts: it replaces one that only a browser named, and a
 * customer never gets another one.
 *
 * Two transactions, because a sale that is being recorded may have read the customer before the address was stored: the second
 * one waits for such sales at the key's lock. Repeating the lead repeats both.
 */
export const recordAddress = async ({ db, clock, hashKey }: Recorder & { db: Database }, named: Named) => {
  const email = hashEmail(hashKey, named.address)
  const customer = email && (await findCustomerByKey(db, named))
  if (!customer) return
  const { programId } = named
  const { clickId, partnerId } = customer
  if (customer.mailboxHash === null) await inTransaction(db, (tx) => addAddress(tx, { programId, clickId, email }))
  else if (!customer.emailHash?.equals(email.hash)) return
  if (partnerId === null) return
  const names = { keys: [], emailHash: email.hash, mailboxHash: email.mailboxHash }
  if (!hasAddress(hashKey, names, await addressesOfPartner(db, { programId, partnerId }))) return
  await inTransaction(db, async (tx) => {
    await lockCustomerKeyAlone(tx, named)
    const current = await findCustomerByKey(tx, named)
    if (!current?.emailHash?.equals(email.hash)) return
    await reviewOwnEarnings(tx, { programId, clickId, customerKey: named.customerKey, partnerId, at: clock() })
  })
}
