import { createHmac } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { CustomerRecord } from '../attribution/attribution.ts'
import type { Database } from '../database/connect.ts'
import { columnsOf, type Parts } from '../database/sql/columns.ts'
import { forOne, putFound } from '../database/sql/many.ts'
import type { Customers } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'
import { addressIn, mailboxOf } from './mailboxes.ts'

const COLUMNS = [
  'clickId',
  'customerStatus',
  'customerKey',
  'creditSource',
  'linkId',
  'codeId',
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
  emailHash: Buffer | null
  mailboxHash: Buffer | null
  /** A promotion code bound the key, and no lead was reported yet. */
  lacksLead: boolean
}
const customer = sql.join(COLUMNS.map((column) => sql.ref(`customers.${column}`)))

export type StoredEmail = { hash: Buffer; mailboxHash: Buffer; masked: string }

/** Addresses are stored only as a keyed hash for comparing them and a masked form that their owner recognizes. */
export const hashEmail = (hashKey: string, email: string | null): StoredEmail | null => {
  const mailbox = mailboxOf(email)
  if (email === null || mailbox === null) return null
  const address = addressIn(email)
  const [first = ''] = address
  const hashOf = (text: string) => createHmac('sha256', hashKey).update(text).digest()
  return {
    hash: hashOf(address),
    mailboxHash: hashOf(mailbox),
    masked: `${first}***${address.slice(address.lastIndexOf('@'))}`,
  }
}

/** The customer as rules see it and decisions store it: without click ID and customer key. */
export const toCustomerRecord = (customer: Customer): CustomerRecord => {
  const { linkId, codeId, partnerId, creditedClickAt, firstClickedAt, lastClickedAt, customerKey } = customer
  return {
    linkId,
    ...(codeId !== null && { codeId }),
    partnerId,
    creditedClickAt,
    firstClickedAt,
    lastClickedAt,
    isSettled: customerKey !== null,
  }
}

type Key = { programId: number; customerKey: string }
type NamedByKey = Key & { known?: KnownCustomer | undefined }
export type CustomerId = { programId: number; clickId: string }
type NamedByClick = CustomerId & { record?: Customer | undefined }

/** Everything that locks several customers, including the click writer, uses this order to avoid deadlocks. */
const inLockOrder = <One extends CustomerId>(customers: One[]) =>
  customers.toSorted((a, b) => a.programId - b.programId || (a.clickId < b.clickId ? -1 : 1))

/** SQL fragment that selects the customer for the outer row `input` (program_id, customer_key); `lock` locks the key. */
export const customerOfKey = (lock = sql``) => sql`
  SELECT ${customer}, customers.email_hash, customers.mailbox_hash, unverified.settled_at AS unverified_since, unverified.confirmed_since AS unverified_until,
    customers.code_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM leads WHERE leads.program_id = customers.program_id AND leads.click_id = customers.click_id) AS lacks_lead
  FROM customers
  LEFT JOIN leads unverified ON unverified.program_id = customers.program_id AND unverified.click_id = customers.click_id
    AND unverified.settled_by = 'browser' AND (unverified.confirmed_at IS NULL OR unverified.confirmed_since IS NOT NULL)
  WHERE customers.program_id = input.program_id AND customers.click_id = (
    SELECT known.click_id FROM customer_keys known
    WHERE known.program_id = input.program_id AND known.customer_key = input.customer_key ${lock})`

/** Fills in the customers with these keys. */
export const findCustomersByKey = async (db: Database | Tx, keys: NamedByKey[]) => {
  const column = columnsOf(keys)
  const { rows } = await sql<KnownCustomer & { position: number }>`
    SELECT position, customer.* FROM unnest(${column('programId', 'integer')},
      ${column('customerKey', 'text')}) WITH ORDINALITY AS input(program_id, customer_key, position)
    CROSS JOIN LATERAL (${customerOfKey()}) customer`.execute(db)
  putFound(keys, 'known', rows)
}

export const findCustomerByKey = forOne(findCustomersByKey, 'known')

/** Fills in and locks the record of each click, so that two leads for one click are settled one at a time. */
export const lockCustomersByClick = async (tx: Database | Tx, clicks: NamedByClick[]) => {
  if (clicks.length === 0) return
  const sorted = inLockOrder(clicks.map((click, index) => ({ ...click, position: index + 1 })))
  const column = columnsOf(sorted)
  const { rows } = await sql<Customer & { position: number }>`
    SELECT position, customer.* FROM unnest(${column('programId', 'integer')},
      ${column('clickId', 'text')}, ${column('position', 'integer')}) AS input(program_id, click_id, position)
    CROSS JOIN LATERAL (
      SELECT ${customer} FROM customers
      WHERE customers.program_id = input.program_id AND customers.click_id = input.click_id
      FOR NO KEY UPDATE) customer`.execute(tx)
  putFound(clicks, 'record', rows)
}

export const lockCustomerByClick = forOne(lockCustomersByClick, 'record')

/**
 * SQL fragment: locks keys of `input` (program_id, customer_key), always in the same order to avoid deadlocks. It sets a column
 * outside the primary key, so the lock does not conflict with the key share lock that a sale already holds on a known customer.
 */
const lockKeys = (which = sql``) => sql`
  INSERT INTO customer_keys (program_id, customer_key)
  SELECT DISTINCT program_id, customer_key COLLATE "C" FROM input ${which} ORDER BY 1, 2
  ON CONFLICT (program_id, customer_key) DO UPDATE SET click_id = customer_keys.click_id`

/** Take this lock before checking whether a key is known, if the result decides what to write. */
export const lockCustomerKeys = async (tx: Database | Tx, keys: Key[]) => {
  const column = columnsOf(keys)
  await sql`
    WITH input AS (SELECT * FROM unnest(${column('programId', 'integer')},
      ${column('customerKey', 'text')}) AS input(program_id, customer_key))
    ${lockKeys()}`.execute(tx)
}

type ClaimedKey = Partial<Omit<KnownCustomer, 'clickId'>> & { clickId: string | null; boundTo: string | null }

/**
 * Fills in the customers with these keys, and locks the keys without a verified customer. A locked row is current, even if the
 * statement waited for it: if it names a customer, the customer is read again. `termsLock` runs in the same statement.
 */
export const claimCustomerKeys = async (tx: Tx, keys: NamedByKey[], termsLock: RawBuilder<unknown>) => {
  const column = columnsOf(keys)
  const { rows } = await sql<ClaimedKey & { position: number }>`
    WITH terms_lock AS MATERIALIZED (${termsLock}),
    input AS MATERIALIZED (
      SELECT input.* FROM (SELECT count(*) FROM terms_lock) done, unnest(${column('programId', 'integer')},
        ${column('customerKey', 'text')}) WITH ORDINALITY AS input(program_id, customer_key, position)),
    known AS MATERIALIZED (
      SELECT position AS known_position, customer.* FROM input CROSS JOIN LATERAL (${customerOfKey()}) customer),
    locked AS (
      ${lockKeys(sql`WHERE position NOT IN (SELECT known_position FROM known WHERE known.unverified_since IS NULL)`)}
      RETURNING program_id, customer_key, click_id)
    SELECT position, known.*, locked.click_id AS bound_to FROM input
    LEFT JOIN known ON known_position = position
    LEFT JOIN locked ON locked.program_id = input.program_id AND locked.customer_key = input.customer_key`.execute(tx)
  putFound(keys, 'known', rows.filter(isKnown))
  const bound = rows.flatMap(({ position, boundTo }) => (boundTo === null ? [] : (keys[position - 1] ?? [])))
  if (bound.length > 0) await findCustomersByKey(tx, bound)
}

const isKnown = (row: ClaimedKey & { position: number }): row is KnownCustomer & ClaimedKey & { position: number } =>
  row.clickId !== null

/** For an erasure, which also waits for the sales of known customers. */
export const lockCustomerKeyAlone = async (tx: Tx, key: Key) => {
  await lockCustomerKeys(tx, [key])
  await sql`SELECT FROM customer_keys WHERE program_id = ${key.programId} AND customer_key = ${key.customerKey} FOR UPDATE`.execute(
    tx,
  )
}

type Settlement = {
  programId: number
  clickId: string
  customerKey: string
  email: StoredEmail | null
  settledBy: 'server' | 'browser' | 'processor'
  /** A sale is already credited to the click. */
  hasBought: boolean
  /** The click's record. A second customer of the click gets a copy of it under a new `click_id`. */
  record: Customer
}

export const hashesOf = (email: StoredEmail | null) => ({
  emailHash: email?.hash ?? null,
  mailboxHash: email?.mailboxHash ?? null,
})

/** Compared by its mailbox too, but without `mailbox_hash`, so that the server can replace it. */
export const hashesFromBrowser = (email: StoredEmail | null) => ({
  emailHash: email?.mailboxHash ?? null,
  mailboxHash: null,
})

/**
 * Parts of a statement: save customers with their keys, and assign the keys to them. Each key must be locked and unassigned; the
 * rows of `assigned` prove it.
 */
export const settleCustomers = (settled: Settlement[]): Parts => {
  const column = columnsOf(
    settled.map(({ record, email, settledBy, hasBought, ...one }) => ({
      ...record,
      ...one,
      customerStatus: hasBought ? 'customer' : 'lead',
      ...(settledBy === 'browser' ? hashesFromBrowser(email) : hashesOf(email)),
      emailMasked: email?.masked ?? null,
    })),
  )
  return {
    named: sql`
      INSERT INTO customers (program_id, click_id, customer_key, customer_status, credit_source, link_id, code_id, partner_id,
        credited_click_at, first_clicked_at, last_clicked_at, email_hash, mailbox_hash, email_masked)
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')}, ${column('customerKey', 'text')},
        ${column('customerStatus', 'text')}, ${column('creditSource', 'text')}, ${column('linkId', 'integer')},
        ${column('codeId', 'integer')}, ${column('partnerId', 'integer')},
        ${column('creditedClickAt', 'timestamptz')}, ${column('firstClickedAt', 'timestamptz')},
        ${column('lastClickedAt', 'timestamptz')}, ${column('emailHash', 'bytea')}, ${column('mailboxHash', 'bytea')},
        ${column('emailMasked', 'text')})
      ON CONFLICT (program_id, click_id) DO UPDATE SET customer_key = excluded.customer_key,
        customer_status = excluded.customer_status, email_hash = excluded.email_hash,
        mailbox_hash = excluded.mailbox_hash, email_masked = excluded.email_masked
      RETURNING program_id, click_id, customer_key, email_hash, email_masked`,
    addressed: sql`
      INSERT INTO customer_emails (program_id, email_hash, click_id)
      SELECT program_id, email_hash, click_id FROM named WHERE email_hash IS NOT NULL`,
    assigned: sql`
      UPDATE customer_keys SET click_id = named.click_id FROM named
      WHERE customer_keys.program_id = named.program_id AND customer_keys.customer_key = named.customer_key
        AND (customer_keys.click_id IS NULL OR customer_keys.click_id = named.click_id)
      RETURNING customer_keys.click_id`,
  }
}

export type CodeCustomer = {
  programId: number
  clickId: string
  customerKey: string | null
  codeId: number
  partnerId: number
  usedAt: Date
}

/** The record of a customer who used a promotion code. Nothing gives its ID out as that of a click. */
export const recordOfCode = ({ clickId, customerKey, codeId, partnerId, usedAt }: CodeCustomer): Customer => ({
  clickId,
  customerStatus: 'customer',
  customerKey,
  creditSource: 'code',
  linkId: null,
  codeId,
  partnerId,
  creditedClickAt: usedAt,
  firstClickedAt: usedAt,
  lastClickedAt: usedAt,
})

/**
 * Parts of a statement: records for customers who used a promotion code, and their keys, which must be locked. A record that exists
 * already is credited from the earlier use on.
 */
export const bindToCodes = (customers: CodeCustomer[]): Parts => {
  const column = columnsOf(customers)
  return {
    coded: sql`
      INSERT INTO customers (program_id, click_id, customer_key, customer_status, credit_source, code_id, partner_id, credited_click_at,
        first_clicked_at, last_clicked_at)
      SELECT program_id, click_id, customer_key, 'customer', 'code', code_id, partner_id, used_at, used_at, used_at
      FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')}, ${column('customerKey', 'text')},
        ${column('codeId', 'integer')}, ${column('partnerId', 'integer')}, ${column('usedAt', 'timestamptz')})
        AS coded(program_id, click_id, customer_key, code_id, partner_id, used_at)
      ON CONFLICT (program_id, click_id) DO UPDATE SET
        credited_click_at = least(customers.credited_click_at, excluded.credited_click_at),
        first_clicked_at = least(customers.first_clicked_at, excluded.first_clicked_at)
      RETURNING program_id, click_id, customer_key`,
    key_bound: sql`
      UPDATE customer_keys SET click_id = coded.click_id FROM coded
      WHERE customer_keys.program_id = coded.program_id AND customer_keys.customer_key = coded.customer_key
        AND customer_keys.click_id IS NULL`,
  }
}

/** SQL fragment: marks the customers of the sales in `written` (program_id, click_id) as buyers. */
export const markBuyersWritten = sql`
  UPDATE customers SET customer_status = 'customer'
  FROM (SELECT DISTINCT program_id, click_id FROM written ORDER BY program_id, click_id) buyer
  WHERE customers.program_id = buyer.program_id AND customers.click_id = buyer.click_id AND customer_status = 'lead'`

export const markAsBuyer = (tx: Tx, { programId, clickId }: CustomerId) =>
  sql`
    UPDATE customers SET customer_status = 'customer'
    WHERE program_id = ${programId} AND click_id = ${clickId} AND customer_status = 'lead'`.execute(tx)

/** A customer that only a payment processor knows has no lead; later clicks no longer change who is credited. */
export const markAsProcessorCustomers = async (tx: Tx, customers: CustomerId[]) => {
  if (customers.length === 0) return
  const column = columnsOf<CustomerId>(inLockOrder(customers))
  await sql`
    UPDATE customers SET customer_status = 'customer'
    FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')}) AS input(program_id, click_id)
    WHERE customers.program_id = input.program_id AND customers.click_id = input.click_id AND customer_status = 'click'`.execute(
    tx,
  )
}

type ClickOfWorkspace = CustomerId & { workspaceId: string; isKnown?: { lastClickedAt: Date } | undefined }

/** Fills in which clicks the workspace's programs recorded. */
export const findClicksOfWorkspaces = async (db: Database | Tx, clicks: ClickOfWorkspace[]) => {
  const column = columnsOf<ClickOfWorkspace>(clicks)
  const { rows } = await sql<{ position: number; lastClickedAt: Date }>`
    SELECT position, last_clicked_at
    FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')}, ${column('workspaceId', 'text')})
      WITH ORDINALITY AS input(program_id, click_id, workspace_id, position)
    JOIN programs ON programs.id = input.program_id AND programs.workspace_id = input.workspace_id
    JOIN customers ON customers.program_id = input.program_id AND customers.click_id = input.click_id`.execute(db)
  putFound(clicks, 'isKnown', rows)
}

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
      RETURNING program_id, click_id
    ), addressed AS (
      DELETE FROM customer_emails USING customers, renamed
      WHERE customers.program_id = renamed.program_id AND customers.click_id = renamed.click_id
        AND customer_emails.program_id = customers.program_id AND customer_emails.email_hash = customers.email_hash
        AND customer_emails.click_id = customers.click_id)
    UPDATE customers SET customer_key = ${token}, email_hash = NULL, mailbox_hash = NULL, email_masked = NULL FROM renamed
    WHERE customers.program_id = renamed.program_id AND customers.click_id = renamed.click_id`.execute(tx)
  return Number(numAffectedRows)
}
