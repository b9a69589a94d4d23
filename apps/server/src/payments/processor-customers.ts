import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { columnsOf } from '../database/sql/columns.ts'
import { putFound } from '../database/sql/many.ts'
import type { Tx } from '../database/transaction.ts'

/** The record that a processor's customer belongs to, and since when. */
export type Binding = {
  programId: number
  clickId: string
  at: Date
  /** Of the record; null if only the processor knows the customer. */
  customerKey: string | null
}

/** `programId` is the workspace's inbox program, and `customerId` has its namespace. */
type CustomerKey = { programId: number; customerId: string }

type Found = { boundProgramId: number; clickId: string; boundAt: Date; customerKey: string | null }
type Claim = CustomerKey & { found?: (Found & { isNew: boolean }) | undefined }

export type ClaimedCustomer = CustomerKey & {
  binding: Binding | null
  /** No event has named the customer before. */
  isNew: boolean
}

const toBinding = ({ boundProgramId, boundAt, clickId, customerKey }: Found): Binding => ({
  programId: boundProgramId,
  clickId,
  at: boundAt,
  customerKey,
})

/**
 * Finds the records of customers, and locks the customers that have none. A locked row is current, even if the statement waited for it.
 */
export const claimProcessorCustomers = async (tx: Tx, customers: CustomerKey[]): Promise<ClaimedCustomer[]> => {
  if (customers.length === 0) return []
  const claims: Claim[] = [...new Map(customers.map((one) => [nameOf(one), one])).values()]
  const column = columnsOf<CustomerKey>(claims)
  const { rows } = await sql<Found & { position: number; isNew: boolean }>`
    WITH input AS MATERIALIZED (
      SELECT * FROM unnest(${column('programId', 'integer')}, ${column('customerId', 'text')})
        WITH ORDINALITY AS input(program_id, customer_id, position)),
    known AS MATERIALIZED (
      SELECT customer.* FROM input CROSS JOIN LATERAL (
        SELECT * FROM processor_customers customer
        WHERE customer.program_id = input.program_id AND customer.customer_id = input.customer_id AND customer.click_id IS NOT NULL) customer),
    locked AS (
      INSERT INTO processor_customers (program_id, customer_id)
      SELECT program_id, customer_id COLLATE "C" FROM input
      WHERE (program_id, customer_id) NOT IN (SELECT program_id, customer_id FROM known) ORDER BY 1, 2
      ON CONFLICT (program_id, customer_id) DO UPDATE SET click_id = processor_customers.click_id
      RETURNING *, xmax = 0 AS is_new)
    SELECT position, customer.bound_program_id, customer.click_id, customer.bound_at, customer.is_new, record.customer_key
    FROM input
    JOIN (SELECT *, false AS is_new FROM known UNION ALL SELECT * FROM locked) customer USING (program_id, customer_id)
    LEFT JOIN customers record ON record.program_id = customer.bound_program_id AND record.click_id = customer.click_id`.execute(
    tx,
  )
  putFound(claims, 'found', rows)
  return claims.map(({ programId, customerId, found }) => ({
    programId,
    customerId,
    binding: found?.clickId ? toBinding(found) : null,
    isNew: found?.isNew ?? false,
  }))
}

/** Fills in the records of customers without a lock. */
export const findBindings = async (
  db: Database | Tx,
  customers: (CustomerKey & { found?: Found | undefined; binding?: Binding | null })[],
) => {
  if (customers.length === 0) return
  const column = columnsOf<CustomerKey>(customers)
  const { rows } = await sql<Found & { position: number }>`
    SELECT position, bound_program_id, customer.click_id, bound_at, record.customer_key
    FROM unnest(${column('programId', 'integer')}, ${column('customerId', 'text')})
      WITH ORDINALITY AS input(program_id, customer_id, position)
    JOIN processor_customers customer USING (program_id, customer_id)
    JOIN customers record ON record.program_id = bound_program_id AND record.click_id = customer.click_id`.execute(db)
  putFound(customers, 'found', rows)
  for (const customer of customers) customer.binding = customer.found ? toBinding(customer.found) : null
}

type NamedBefore = CustomerKey & { customerKey: string; before: Date }

/** Which of these customers have paid under this key before. */
export const findNamedBefore = async <One extends NamedBefore>(db: Database | Tx, customers: One[]): Promise<One[]> => {
  if (customers.length === 0) return []
  const column = columnsOf<NamedBefore>(customers)
  const { rows } = await sql<{ position: number }>`
    SELECT position
    FROM unnest(${column('programId', 'integer')}, ${column('customerId', 'text')}, ${column('customerKey', 'text')},
      ${column('before', 'timestamptz')}) WITH ORDINALITY AS input(program_id, customer_id, customer_key, before, position)
    WHERE EXISTS (SELECT FROM payment_reports stored
      WHERE stored.program_id = input.program_id AND stored.report->>'customerId' = input.customer_id
        AND stored.report->'attribution'->>'customerKey' = input.customer_key
        AND stored.report->'says'->>'kind' = 'paid' AND (stored.report->>'at')::timestamptz < input.before)`.execute(db)
  return rows.map(({ position }) => customers[position - 1] as One)
}

export type BoundCustomer = { inboxProgramId: number; customerId: string } & Omit<Binding, 'customerKey'>

export const bindCustomers = async (tx: Tx, customers: BoundCustomer[]) => {
  if (customers.length === 0) return
  const column = columnsOf(customers)
  await sql`
    INSERT INTO processor_customers (program_id, customer_id, bound_program_id, click_id, bound_at)
    SELECT * FROM unnest(${column('inboxProgramId', 'integer')}, ${column('customerId', 'text')},
      ${column('programId', 'integer')}, ${column('clickId', 'text')}, ${column('at', 'timestamptz')})
      AS bound(program_id, customer_id, bound_program_id, click_id, bound_at)
    ORDER BY 1, 2
    ON CONFLICT (program_id, customer_id) DO UPDATE SET
      bound_program_id = excluded.bound_program_id, click_id = excluded.click_id, bound_at = excluded.bound_at`.execute(
    tx,
  )
}

export const nameOf = ({ programId, customerId }: CustomerKey) => `${programId} ${customerId}`

/** The payments that name these customers. */
export const listPaymentsOfCustomers = async (tx: Tx, customers: CustomerKey[]) => {
  if (customers.length === 0) return []
  const column = columnsOf<CustomerKey>(customers)
  const { rows } = await sql<{ programId: number; paymentId: number }>`
    SELECT DISTINCT input.program_id, payment_id
    FROM unnest(${column('programId', 'integer')}, ${column('customerId', 'text')}) AS input(program_id, customer_id)
    JOIN payment_reports report ON report.program_id = input.program_id AND report.report->>'customerId' = input.customer_id
    ORDER BY 1, 2`.execute(tx)
  return rows
}

type OfRecord = { inboxProgramId: number; customerId: string; programId: number; clickId: string }

/** The mailboxes of customers whom the processor has named with their address, with the records that they belong to. */
export const findMailboxes = async (tx: Tx, customers: OfRecord[]) => {
  if (customers.length === 0) return []
  const column = columnsOf(customers)
  const { rows } = await sql<{ programId: number; clickId: string; mailboxHash: Buffer }>`
    SELECT input.program_id, input.click_id, customer.mailbox_hash
    FROM unnest(${column('inboxProgramId', 'integer')}, ${column('customerId', 'text')}, ${column('programId', 'integer')},
      ${column('clickId', 'text')}) AS input(inbox_program_id, customer_id, program_id, click_id)
    JOIN processor_customers customer ON customer.program_id = input.inbox_program_id AND customer.customer_id = input.customer_id
    WHERE customer.mailbox_hash IS NOT NULL`.execute(tx)
  return rows
}

type Mailbox = { inboxProgramId: number; customerId: string; mailboxHash: Buffer }

/** Stores a customer's address. Returns the record that the customer belongs to, if it is known. */
export const storeMailbox = async (tx: Tx, { inboxProgramId, customerId, mailboxHash }: Mailbox) => {
  const { rows } = await sql<{ programId: number | null; clickId: string | null }>`
    INSERT INTO processor_customers (program_id, customer_id, mailbox_hash) VALUES (${inboxProgramId}, ${customerId}, ${mailboxHash})
    ON CONFLICT (program_id, customer_id) DO UPDATE SET mailbox_hash = excluded.mailbox_hash
    RETURNING bound_program_id AS program_id, click_id`.execute(tx)
  const [{ programId = null, clickId = null } = {}] = rows
  return programId !== null && clickId !== null ? { programId, clickId } : null
}

/** Deletes the addresses of the customers who made these payments. */
export const forgetMailboxes = async (tx: Tx, payments: { programId: number; paymentId: number }[]) => {
  if (payments.length === 0) return
  const column = columnsOf(payments)
  await sql`
    UPDATE processor_customers SET mailbox_hash = NULL
    FROM unnest(${column('programId', 'integer')}, ${column('paymentId', 'bigint')}) AS input(program_id, payment_id)
    JOIN payment_reports report ON report.program_id = input.program_id AND report.payment_id = input.payment_id
    WHERE processor_customers.program_id = input.program_id AND customer_id = report.report->>'customerId'`.execute(tx)
}
