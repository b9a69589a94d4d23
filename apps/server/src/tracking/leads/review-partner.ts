import { sql } from 'kysely'
import type { Recorder } from '../../clock.ts'
import { hashEmail } from '../../customers/customers.ts'
import { type CustomerNames, matchesOf } from '../../customers/match-partner.ts'
import { payersOf } from '../../customers/payer-mailboxes.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction } from '../../database/transaction.ts'
import { addVisit, findVisit } from '../../partners/partner-visits.ts'
import { lockPartner } from '../../partners/partners.ts'
import { reviewOwnEarnings } from './review-own-earnings.ts'

type Reviewer = Recorder & { db: Database }
type Named = CustomerNames & { clickId: string }
type Addressed = { programId: number; partnerId: number; addresses: (string | null)[] }

/**
 * Sends what the partner has earned from customers with these addresses to review. Call it after the commit of the change that made
 * the addresses theirs: it locked the partner, so every sale has either been recorded before or compares with them itself.
 */
export const reviewEarningsFrom = async ({ db, clock, hashKey }: Reviewer, { addresses, ...partner }: Addressed) => {
  const emails = addresses.filter((address) => address !== null)
  const isOwn = (names: CustomerNames) => matchesOf(hashKey, names, { emails, destination: null }).length > 0
  const own = (await findNamed(db, hashKey, { ...partner, emails })).filter(isOwn)
  if (own.length === 0) return
  const { programId } = partner
  const customers = own.map(({ clickId, ...names }) => ({ programId, clickId, customerKey: null, names }))
  await inTransaction(db, (tx) => {
    const at = clock()
    return reviewOwnEarnings(
      tx,
      hashKey,
      customers.map((customer) => ({ ...customer, at })),
    )
  })
}

type Emails = { programId: number; partnerId: number; emails: string[] }

/** Customers from whom the partner has earned, with one of these addresses or a key that may be one. */
const findNamed = async (db: Database, hashKey: string, { programId, partnerId, emails }: Emails) => {
  const known = emails.flatMap((email) => hashEmail(hashKey, email) ?? [])
  if (known.length === 0) return []
  const hashes = known.flatMap(({ hash, mailboxHash }) => [hash, mailboxHash])
  const { rows } = await sql<Named>`
    SELECT record.click_id, ARRAY[record.customer_key, sold_to] AS keys, record.email_hash, record.mailbox_hash, record.payers
    FROM (
      SELECT DISTINCT coalesce(sale.click_id, lead.click_id) AS click_id, sale.customer_key AS sold_to FROM commissions
      LEFT JOIN sales sale ON sale.program_id = commissions.program_id AND sale.id = commissions.sale_id
      LEFT JOIN leads lead ON lead.program_id = commissions.program_id AND lead.id = commissions.lead_id
      WHERE commissions.program_id = ${programId} AND commissions.partner_id = ${partnerId}) earned
    CROSS JOIN LATERAL (
      SELECT record.*, ${payersOf('record')} AS payers FROM customers record
      WHERE record.program_id = ${programId} AND record.click_id = earned.click_id) record
    WHERE record.mailbox_hash = ANY (${hashes}::bytea[]) OR record.email_hash = ANY (${hashes}::bytea[])
      OR record.payers && ${hashes}::bytea[] OR record.customer_key LIKE '%@%' OR sold_to LIKE '%@%'
    ORDER BY 1, sold_to`.execute(db)
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
