import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { columnsOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'
import type { ReportedCode } from './payment-report.ts'

/** `programId` is the workspace's inbox program. */
type Reference = { programId: number; reference: string }
type Payment = { programId: number; paymentId: number }

/** What payments are found by: the processor's ID, or the text in small letters. */
export const referenceOfCode = (code: ReportedCode) => ('id' in code ? code.id : `code:${code.text.toLowerCase()}`)

/**
 * Locks the IDs of codes, known or not, in one order. A payment that names one and the event that explains it take turns, so neither misses
 * the other.
 */
export const claimCodes = async (tx: Tx, references: Reference[]) => {
  if (references.length === 0) return
  const column = columnsOf(references)
  await sql`
    INSERT INTO processor_codes (program_id, reference)
    SELECT DISTINCT program_id, reference COLLATE "C" FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')})
      AS input(program_id, reference) ORDER BY 1, 2
    ON CONFLICT (program_id, reference) DO UPDATE SET code = processor_codes.code`.execute(tx)
}

export type LearnedCode = Reference & {
  /** What customers enter. */
  code: string | null
  /** The ID of the code behind a discount. */
  sameAs: string | null
}

/** Stores what an event says about IDs; a discount without a code has neither. The caller has claimed them. A text never changes. */
export const learnCodes = async (tx: Tx, learned: LearnedCode[]) => {
  const column = columnsOf(learned)
  await sql`
    UPDATE processor_codes SET code = coalesce(processor_codes.code, learned.code), same_as = learned.same_as,
      has_no_code = learned.code IS NULL AND learned.same_as IS NULL AND processor_codes.code IS NULL
    FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}, ${column('code', 'text')}, ${column('sameAs', 'text')})
      AS learned(program_id, reference, code, same_as)
    WHERE processor_codes.program_id = learned.program_id AND processor_codes.reference = learned.reference`.execute(tx)
}

/** The text of an ID, `none` if it is a discount without a code, and null while nothing is known. */
export type KnownCode = { text: string } | 'none' | null

/** What is known about IDs, by ID. */
export const findKnownCodes = async (db: Database | Tx, references: Reference[]) => {
  const known = new Map<string, KnownCode>()
  if (references.length === 0) return known
  const column = columnsOf(references)
  const { rows } = await sql<Reference & { code: string | null; hasNoCode: boolean }>`
    SELECT input.program_id, input.reference, coalesce(own.code, behind.code) AS code, own.has_no_code
    FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}) AS input(program_id, reference)
    JOIN processor_codes own ON own.program_id = input.program_id AND own.reference = input.reference
    LEFT JOIN processor_codes behind ON behind.program_id = own.program_id AND behind.reference = own.same_as`.execute(
    db,
  )
  for (const { programId, reference, code, hasNoCode } of rows)
    known.set(nameOf({ programId, reference }), code === null ? (hasNoCode ? 'none' : null) : { text: code })
  return known
}

export const nameOf = ({ programId, reference }: Reference) => `${programId} ${reference}`

/** Lists payments under the codes that they name. */
export const addPaymentCodes = async (tx: Tx, rows: (Reference & Payment)[]) => {
  if (rows.length === 0) return
  const column = columnsOf(rows)
  await sql`
    INSERT INTO payment_codes (program_id, reference, payment_id)
    SELECT DISTINCT * FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}, ${column('paymentId', 'bigint')})
      AS input(program_id, reference, payment_id)
    ON CONFLICT DO NOTHING`.execute(tx)
}

/** The payments that name one of these IDs, or a discount of one. */
export const listPaymentsOfCodes = async (tx: Tx, references: Reference[]): Promise<Payment[]> => {
  if (references.length === 0) return []
  const column = columnsOf(references)
  const { rows } = await sql<Payment>`
    WITH input AS (SELECT * FROM unnest(${column('programId', 'integer')}, ${column('reference', 'text')}) AS input(program_id, reference)),
    named AS (
      SELECT program_id, reference FROM input UNION
      SELECT discount.program_id, discount.reference FROM input
      JOIN processor_codes discount ON discount.program_id = input.program_id AND discount.same_as = input.reference)
    SELECT DISTINCT named.program_id, payment_id FROM named
    JOIN payment_codes payment ON payment.program_id = named.program_id AND payment.reference = named.reference
    ORDER BY 1, 2`.execute(tx)
  return rows
}

type PayingCustomer = { programId: number; customerId: string; paymentId: number; before: Date }

/** For each payment, the codes of the first payment that the processor's customer made before it; null if there is none. */
export const findFirstPayments = async (db: Database | Tx, customers: PayingCustomer[]) => {
  const column = columnsOf(customers)
  const { rows } = await sql<{ position: number; references: string[] }>`
    SELECT position, ARRAY(
      SELECT reference FROM payment_codes named
      WHERE named.program_id = input.program_id AND named.payment_id = first.payment_id) AS "references"
    FROM unnest(${column('programId', 'integer')}, ${column('customerId', 'text')}, ${column('paymentId', 'bigint')},
      ${column('before', 'timestamptz')}) WITH ORDINALITY AS input(program_id, customer_id, payment_id, before, position)
    CROSS JOIN LATERAL (
      SELECT stored.payment_id FROM payment_reports stored
      WHERE stored.program_id = input.program_id AND stored.report->>'customerId' = input.customer_id
        AND stored.payment_id <> input.payment_id AND stored.report->'says'->>'kind' = 'paid'
        AND (stored.report->'says'->>'grossCents')::bigint > 0 AND (stored.report->>'at')::timestamptz < input.before
      ORDER BY (stored.report->>'at')::timestamptz, stored.payment_id LIMIT 1) first`.execute(db)
  const found = new Map(rows.map((row) => [row.position - 1, row.references]))
  return customers.map((_, index) => found.get(index) ?? null)
}
