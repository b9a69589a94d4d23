import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { columnsOf } from '../database/sql/columns.ts'
import { inPlace } from '../database/sql/many.ts'
import type { Tx } from '../database/transaction.ts'

export type KeptEmail = { hash: Buffer; masked: string }

/** An address is kept so that two can be compared and a person can recognise theirs, and in no other form. */
export const keepEmail = (hashKey: string, email: string | null): KeptEmail | null => {
  const address = email?.trim().toLowerCase() ?? ''
  const at = address.lastIndexOf('@')
  if (at < 1 || at === address.length - 1) return null
  const [first = ''] = address
  return { hash: createHmac('sha256', hashKey).update(address).digest(), masked: `${first}***${address.slice(at)}` }
}

type Pair = { programId: number; partnerId: number; clickId: string }

/** Whether the customer's e-mail is the partner's own, for each pair. */
export const areSelfDealing = async (tx: Tx, hashKey: string, pairs: Pair[]) =>
  (await emailsOf(tx, pairs)).map((found) => {
    const { emailHash = null, email = null } = found ?? {}
    return emailHash !== null && (keepEmail(hashKey, email)?.hash.equals(emailHash) ?? false)
  })

const emailsOf = async (tx: Tx, pairs: Pair[]) => {
  const column = columnsOf(pairs)
  const { rows } = await sql<{ nth: number; emailHash: Buffer | null; email: string | null }>`
    SELECT nth, (SELECT customer.email_hash FROM customers customer
        WHERE customer.program_id = pair.program_id AND customer.click_id = pair.click_id),
      (SELECT partner.email FROM partners partner
        WHERE partner.program_id = pair.program_id AND partner.id = pair.partner_id)
    FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')},
      ${column('clickId', 'text')}) WITH ORDINALITY AS pair(program_id, partner_id, click_id, nth)`.execute(tx)
  return inPlace(rows, pairs)
}
