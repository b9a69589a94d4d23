import { type RawBuilder, sql } from 'kysely'
import { referencesOfPayment } from './lookups.ts'
import { containing } from './sorting.ts'

/** What a person typed into a list's search box. */
export type SearchTerm = {
  text: string
  /** Of the address and its mailbox, if the text is one. Addresses of customers are stored as hashes, so only a whole one is found. */
  emailHashes: Buffer[]
}

/** Sorts after every text with the same beginning. */
const LAST_CHARACTER = '\u{10FFFF}'

/**
 * Identifiers that begin with the text: as typed, in capitals or in small letters. Each is a range of an index with the collation
 * "C"; LIKE would need the text at planning time, and ignoring case would need another index on every sale.
 */
const startsWith = (column: string, text: string) =>
  sql`(${sql.join(
    [text, text.toUpperCase(), text.toLowerCase()].map(
      (start) => sql`(${sql.raw(column)} >= ${start} AND ${sql.raw(column)} < ${start + LAST_CHARACTER})`,
    ),
    sql` OR `,
  )})`

/** Shorter texts are part of most names, and the trigram index finds them only at the beginning. */
const MIN_PART_LENGTH = 3

/** Whether one of the columns contains the text or, if it is short, begins with it. */
const contains = (columns: string[], text: string) => {
  const isShort = text.length < MIN_PART_LENGTH && /^[\p{L}\p{N}]+$/u.test(text)
  const pattern = isShort ? containing(text).slice(1) : containing(text)
  return sql`(${sql.join(
    columns.map((column) => sql`${sql.raw(column)} ILIKE ${pattern}`),
    sql` OR `,
  )})`
}

/** A query of the partners' IDs with the text in their name, email address or code. */
export const partnersWith = (programId: number, text: string) => sql<number>`(
  SELECT id FROM partners WHERE program_id = ${programId} AND ${contains(['name', 'email', 'code'], text)})`

/** A query of the links' IDs: by aff value, destination or partner. */
export const linksWith = (programId: number, text: string) => sql<number>`(
  SELECT id FROM referral_links WHERE program_id = ${programId} AND ${contains(['aff', 'destination_url'], text)}
  UNION SELECT id FROM referral_links WHERE program_id = ${programId} AND partner_id IN ${partnersWith(programId, text)})`

/** Rows of the partners with the text in their name, in tables that have many rows of each. */
const ofPartnersWith = (rows: RawBuilder<unknown>, { programId, text }: { programId: number; text: string }) =>
  text.length < MIN_PART_LENGTH
    ? sql``
    : // An array makes Postgres look the partners up in the index of the rows.
      sql`UNION ${rows} AND partner_id = ANY (ARRAY${partnersWith(programId, text)})`

/** A query of the customers' click IDs: by key, email address or click ID. */
export const customersNamed = (programId: number, { text, emailHashes }: SearchTerm) => sql<string>`(
  SELECT ${text}::text COLLATE "C" AS click_id
  UNION SELECT click_id FROM customer_keys WHERE program_id = ${programId} AND ${startsWith('customer_key', text)}
  ${emailHashes.length > 0 ? sql`UNION ${withEmail(programId, emailHashes)}` : sql``})`

/** The same, and by invoice or partner. */
export const customersWith = (programId: number, term: SearchTerm) => sql<string>`(
  ${customersNamed(programId, term)}
  UNION SELECT click_id FROM sales WHERE program_id = ${programId} AND click_id IS NOT NULL AND ${startsWith('invoice_id', term.text)}
  ${ofPartnersWith(sql`SELECT click_id FROM leads WHERE program_id = ${programId}`, { programId, text: term.text })})`

const withEmail = (programId: number, emailHashes: Buffer[]) =>
  sql`SELECT click_id FROM customer_emails WHERE program_id = ${programId} AND email_hash IN (${sql.join(emailHashes)})`

/** A query of sales' IDs: by invoice, any other reference of the payment, customer key or email address. */
export const salesNamed = (programId: number, { text, emailHashes }: SearchTerm) => {
  const sales = sql`SELECT id FROM sales WHERE program_id = ${programId}`
  return sql<number>`(
    ${sales} AND ${startsWith('invoice_id', text)}
    UNION ${sales} AND invoice_id IN ${referencesOfPayment({ programId, invoiceId: text })}
    UNION ${sales} AND customer_key IS NOT NULL AND ${startsWith('customer_key', text)}
    ${emailHashes.length > 0 ? sql`UNION ${sales} AND click_id IN (${withEmail(programId, emailHashes)})` : sql``})`
}

/** The same, and by partner. */
export const salesWith = (programId: number, term: SearchTerm) => sql<number>`(
  ${salesNamed(programId, term)}
  ${ofPartnersWith(sql`SELECT id FROM sales WHERE program_id = ${programId}`, { programId, text: term.text })})`

/**
 * A query of commissions' IDs: by partner or number and, for members who may list customers, by the customer or the sale they
 * were earned with.
 */
export const commissionsWith = (programId: number, { seesCustomers, ...term }: CommissionTerm) => {
  const { text } = term
  const commissions = sql`SELECT id FROM commissions WHERE program_id = ${programId}`
  const leads = sql`SELECT id FROM leads WHERE program_id = ${programId} AND click_id IN ${customersNamed(programId, term)}`
  return sql<number>`(
    ${commissions} AND id = ${/^\d{1,15}$/.test(text) ? Number(text) : 0}
    ${
      seesCustomers
        ? sql`UNION ${commissions} AND sale_id IN ${salesNamed(programId, term)} UNION ${commissions} AND lead_id IN (${leads})
          UNION ${commissions} AND adjustment_id IN (SELECT id FROM adjustments WHERE program_id = ${programId}
            AND type IN ('credit', 'move') AND sale_id IN ${salesNamed(programId, term)})`
        : sql``
    }
    ${ofPartnersWith(commissions, { programId, text })})`
}

export type CommissionTerm = SearchTerm & { seesCustomers: boolean }
