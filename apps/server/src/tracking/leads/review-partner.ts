import { sql } from 'kysely'
import type { Recorder } from '../../clock.ts'
import { hashEmail } from '../../customers/customers.ts'
import { addressIn, mailboxOf } from '../../customers/mailboxes.ts'
import type { CustomerNames } from '../../customers/match-partner.ts'
import { payersOf } from '../../customers/payer-mailboxes.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { addVisit, findVisit } from '../../partners/partner-visits.ts'
import { lockPartner } from '../../partners/partners.ts'
import { reviewOwnEarnings } from './review-own-earnings.ts'

type Reviewer = Recorder & { db: Database }
type Named = Omit<CustomerNames, 'keys'> & { clickId: string; customerKey: string | null }

/**
 * Sends what has been earned from customers with these addresses to review, if it was earned by a partner who has them. Call it
 * after the commit of the change that made an address the partner's. That change locked the partner, so every sale has either been
 * recorded before or compares with the address itself.
 */
export const reviewEarningsFrom = async (
  { db, clock, hashKey }: Reviewer,
  { programId, addresses }: { programId: number; addresses: (string | null)[] },
) => {
  const named = await findNamed(db, hashKey, { programId, addresses })
  if (named.length === 0) return
  await inTransaction(db, async (tx) => {
    const at = clock()
    const customers = named.map(({ clickId, customerKey, ...names }) => ({
      ...{ programId, clickId, customerKey, at },
      names: { ...names, keys: [customerKey] },
    }))
    await reviewOwnEarnings(tx, hashKey, customers)
  })
}

/** Customers known by these addresses: their own, those that processors state for them, and keys that are one, as they are written. */
const findNamed = async (
  db: Database | Tx,
  hashKey: string,
  { programId, addresses }: { programId: number; addresses: (string | null)[] },
) => {
  const emails = addresses.flatMap((address) => hashEmail(hashKey, address) ?? [])
  if (emails.length === 0) return []
  const mailboxes = emails.map(({ mailboxHash }) => mailboxHash)
  const hashes = [...mailboxes, ...emails.map(({ hash }) => hash)]
  const keys = addresses.flatMap((address) => (address ? [address, addressIn(address), mailboxOf(address) ?? ''] : []))
  const { rows } = await sql<Named>`
    SELECT record.click_id, coalesce(named.customer_key, record.customer_key) AS customer_key, record.email_hash, record.mailbox_hash,
      ${payersOf('record')} AS payers
    FROM (
      SELECT click_id, NULL AS customer_key FROM customers WHERE program_id = ${programId} AND mailbox_hash = ANY (${mailboxes}::bytea[])
      UNION SELECT click_id, NULL FROM customer_emails WHERE program_id = ${programId} AND email_hash = ANY (${hashes}::bytea[])
      UNION SELECT click_id, NULL FROM payer_mailboxes WHERE program_id = ${programId} AND mailbox_hash = ANY (${mailboxes}::bytea[])
      UNION SELECT click_id, customer_key FROM customer_keys
        WHERE program_id = ${programId} AND customer_key = ANY (${keys}::text[]) AND click_id IS NOT NULL
      UNION SELECT click_id, customer_key FROM sales
        WHERE program_id = ${programId} AND customer_key = ANY (${keys}::text[]) AND click_id IS NOT NULL) named
    JOIN customers record ON record.program_id = ${programId} AND record.click_id = named.click_id
    ORDER BY 1, 2`.execute(db)
  return rows
}

type Visit = { programId: number; partnerId: number; visitorHash: string }

/**
 * Records that the partner used a network today, and sends what they have earned from a click of that network on the same day to
 * review. Later sales of such a click go to review themselves.
 */
export const recordVisit = async ({ db, clock, hashKey }: Reviewer, visit: Visit) => {
  const { programId } = visit
  if (await findVisit(db, visit)) return
  await inTransaction(db, async (tx) => {
    // Waits for sales that are being recorded.
    await lockPartner(tx, visit)
    await addVisit(tx, { ...visit, at: clock() })
  })
  const clicks = await findClicksOfVisit(db, { ...visit, at: clock() })
  if (clicks.length === 0) return
  const names: CustomerNames = { keys: [], emailHash: null, mailboxHash: null }
  await inTransaction(db, (tx) =>
    reviewOwnEarnings(
      tx,
      hashKey,
      clicks.map((clickId) => ({ programId, clickId, customerKey: null, names, at: clock() })),
    ),
  )
}

/** The hash of a network changes daily, so only clicks of the same day have it. */
const findClicksOfVisit = async (db: Database, { programId, partnerId, visitorHash, at }: Visit & { at: Date }) => {
  const today = new Date(at)
  today.setUTCHours(0, 0, 0, 0)
  const { rows } = await sql<{ clickId: string }>`
    SELECT click_id FROM leads WHERE program_id = ${programId} AND partner_id = ${partnerId} AND visitor_hash = ${visitorHash}::bytea
    UNION
    SELECT sale.click_id FROM sales sale
    JOIN click_events click ON click.program_id = sale.program_id AND click.click_id = sale.click_id
      AND click.clicked_at >= ${today} AND click.visitor_hash = ${visitorHash}::bytea
    WHERE sale.program_id = ${programId} AND sale.partner_id = ${partnerId} AND sale.sold_at >= ${today}
    ORDER BY 1`.execute(db)
  return rows.map(({ clickId }) => clickId)
}
