import { createHmac } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { columnsOf } from '../database/sql/columns.ts'
import { forOne, inPlace } from '../database/sql/many.ts'
import type { Customers } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

const COLUMNS = [
  'clickId',
  'customerStatus',
  'customerKey',
  'linkId',
  'partnerId',
  'creditedClickAt',
  'firstClickedAt',
  'lastClickedAt',
] as const

export type Customer = Pick<Selectable<Customers>, (typeof COLUMNS)[number]>
export type KnownCustomer = Customer & {
  /** When an unauthenticated browser settled the lead; null if all sales are verified. */
  unverifiedSince: Date | null
  /** The customer is verified for sales from this time on. */
  unverifiedUntil: Date | null
}
const customer = sql.join(COLUMNS.map((column) => sql.ref(`customers.${column}`)))

export type StoredEmail = { hash: Buffer; masked: string }

/** Addresses are stored only as a keyed hash for comparing them and a masked form that their owner recognizes. */
export const hashEmail = (hashKey: string, email: string | null): StoredEmail | null => {
  const address = email?.trim().toLowerCase() ?? ''
  const at = address.lastIndexOf('@')
  if (at < 1 || at === address.length - 1) return null
  const [first = ''] = address
  return { hash: createHmac('sha256', hashKey).update(address).digest(), masked: `${first}***${address.slice(at)}` }
}

type Key = { programId: number; customerKey: string }
export type CustomerId = { programId: number; clickId: string }

/** Everything that locks several customers, including the click writer, uses this order to avoid deadlocks. */
const inLockOrder = <One extends CustomerId>(customers: One[]) =>
  customers.toSorted((a, b) => a.programId - b.programId || (a.clickId < b.clickId ? -1 : 1))

/** SQL fragment that selects the customer for the outer row `input` (program_id, customer_key); `lock` locks the key. */
export const customerOfKey = (lock = sql``) => sql`
  SELECT ${customer}, unverified.settled_at AS unverified_since, unverified.confirmed_since AS unverified_until
  FROM customers
  LEFT JOIN leads unverified ON unverified.program_id = customers.program_id AND unverified.click_id = customers.click_id
    AND unverified.settled_by = 'browser' AND (unverified.confirmed_at IS NULL OR unverified.confirmed_since IS NOT NULL)
  WHERE customers.program_id = input.program_id AND customers.click_id = (
    SELECT known.click_id FROM customer_keys known
    WHERE known.program_id = input.program_id AND known.customer_key = input.customer_key ${lock})`

export const findCustomersByKey = async (db: Database | Tx, keys: Key[]) => {
  const column = columnsOf(keys)
  const { rows } = await sql<KnownCustomer & { nth: number }>`
    SELECT nth, customer.* FROM unnest(${column('programId', 'integer')},
      ${column('customerKey', 'text')}) WITH ORDINALITY AS input(program_id, customer_key, nth)
    CROSS JOIN LATERAL (${customerOfKey()}) customer`.execute(db)
  return inPlace(rows, keys)
}

export const findCustomerByKey = forOne(findCustomersByKey)

/** Finds and locks the record of each click, so that two leads for one click are settled one at a time. */
export const lockCustomersByClick = async (tx: Database | Tx, clicks: CustomerId[]) => {
  const sorted = inLockOrder(clicks.map((click, index) => ({ ...click, nth: index + 1 })))
  const column = columnsOf(sorted)
  const { rows } = await sql<Customer & { nth: number }>`
    SELECT nth, customer.* FROM unnest(${column('programId', 'integer')},
      ${column('clickId', 'text')}, ${column('nth', 'integer')}) AS input(program_id, click_id, nth)
    CROSS JOIN LATERAL (
      SELECT ${customer} FROM customers
      WHERE customers.program_id = input.program_id AND customers.click_id = input.click_id
      FOR NO KEY UPDATE) customer`.execute(tx)
  return inPlace(rows, clicks)
}

export const lockCustomerByClick = forOne(lockCustomersByClick)

/** Take this lock before checking whether a key is known, if the result decides what to write. */
export const lockCustomerKeys = async (tx: Database | Tx, keys: Key[]) => {
  const sorted = [...new Map(keys.map((key) => [`${key.programId} ${key.customerKey}`, key])).values()].toSorted(
    (a, b) => a.programId - b.programId || (a.customerKey < b.customerKey ? -1 : 1),
  )
  const column = columnsOf(sorted)
  await sql`
    INSERT INTO customer_keys (program_id, customer_key) SELECT * FROM unnest(${column('programId', 'integer')},
      ${column('customerKey', 'text')})
    ON CONFLICT (program_id, customer_key) DO UPDATE SET customer_key = excluded.customer_key`.execute(tx)
  return keys
}

export const lockCustomerKey = forOne(lockCustomerKeys)

type Settlement = { programId: number; clickId: string; customerKey: string; email: StoredEmail | null }

/** Writes customers and assigns their keys to them. Each key must be locked and unassigned. */
const nameCustomers = async (tx: Database | Tx, written: RawBuilder<unknown>, count: number) => {
  const { numAffectedRows } = await sql`
    WITH named AS (${written} RETURNING customers.program_id, customers.click_id, customers.customer_key)
    UPDATE customer_keys SET click_id = named.click_id FROM named
    WHERE customer_keys.program_id = named.program_id AND customer_keys.customer_key = named.customer_key
      AND customer_keys.click_id IS NULL`.execute(tx)
  if (Number(numAffectedRows) !== count) throw new Error('a customer key is already assigned or was not locked')
}

export const settleCustomers = async (tx: Database | Tx, settled: Settlement[]) => {
  const column = columnsOf(
    settled.map(({ email, ...one }) => ({
      ...one,
      emailHash: email?.hash ?? null,
      emailMasked: email?.masked ?? null,
    })),
  )
  const written = sql`
    UPDATE customers SET customer_key = settled.customer_key, customer_status = 'lead', email_hash = settled.email_hash,
      email_masked = settled.email_masked
    FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')},
      ${column('customerKey', 'text')}, ${column('emailHash', 'bytea')},
      ${column('emailMasked', 'text')})
      AS settled(program_id, click_id, customer_key, email_hash, email_masked)
    WHERE customers.program_id = settled.program_id AND customers.click_id = settled.click_id`
  await nameCustomers(tx, written, settled.length)
  return settled
}

/** Creates a second customer for one click: same clicks and partner, but a separate `click_id`. */
export const copyCustomer = (tx: Tx, { programId, clickId, customerKey, email }: Settlement, from: Customer) => {
  const written = sql`
    INSERT INTO customers (program_id, click_id, customer_status, customer_key, link_id, partner_id, credited_click_at,
      first_clicked_at, last_clicked_at, email_hash, email_masked)
    VALUES (${programId}, ${clickId}, 'lead', ${customerKey}, ${from.linkId}, ${from.partnerId}, ${from.creditedClickAt},
      ${from.firstClickedAt}, ${from.lastClickedAt}, ${email?.hash ?? null}, ${email?.masked ?? null})`
  return nameCustomers(tx, written, 1)
}

export const markAsBuyers = async (tx: Database | Tx, buyers: CustomerId[]) => {
  const sorted = inLockOrder(buyers)
  const column = columnsOf(sorted)
  await sql`
    UPDATE customers SET customer_status = 'customer'
    FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')})
      AS buyer(program_id, click_id)
    WHERE customers.program_id = buyer.program_id AND customers.click_id = buyer.click_id
      AND customer_status = 'lead'`.execute(tx)
  return buyers
}

export const markAsBuyer = forOne(markAsBuyers)

type Erasure = { programId: number; customerKey: string | null; token: string }

/** Replaces the customer's key with the token and deletes their email. The key can then be used by a new customer. */
export const forgetCustomer = async (tx: Tx, { programId, customerKey, token }: Erasure) => {
  if (customerKey === null) return 0
  const { numAffectedRows } = await sql`
    WITH unused AS (
      DELETE FROM customer_keys WHERE program_id = ${programId} AND customer_key = ${customerKey} AND click_id IS NULL
    ), renamed AS (
      UPDATE customer_keys SET customer_key = ${token}
      WHERE program_id = ${programId} AND customer_key = ${customerKey} AND click_id IS NOT NULL
      RETURNING program_id, click_id)
    UPDATE customers SET customer_key = ${token}, email_hash = NULL, email_masked = NULL FROM renamed
    WHERE customers.program_id = renamed.program_id AND customers.click_id = renamed.click_id`.execute(tx)
  return Number(numAffectedRows)
}
