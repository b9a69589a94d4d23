import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
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

/** Whether the customer's e-mail is the partner's own. */
export const isSelfDealing = async (tx: Tx, hashKey: string, { programId, partnerId, clickId }: Pair) => {
  const { rows } = await sql<{ emailHash: Buffer | null; email: string | null }>`
    SELECT customer.email_hash, partner.email FROM customers customer
    JOIN partners partner ON partner.program_id = customer.program_id AND partner.id = ${partnerId}
    WHERE customer.program_id = ${programId} AND customer.click_id = ${clickId}`.execute(tx)
  const { emailHash = null, email = null } = rows[0] ?? {}
  return emailHash !== null && (keepEmail(hashKey, email)?.hash.equals(emailHash) ?? false)
}
