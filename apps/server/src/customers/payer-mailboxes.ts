import { sql } from 'kysely'
import { columnsOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'

/** SQL fragment: the mailboxes that processors state for the payers of the record of this alias (program_id, click_id). */
export const payersOf = (alias: string) => sql`ARRAY(
  SELECT payer.mailbox_hash FROM payer_mailboxes payer
  WHERE payer.program_id = ${sql.ref(`${alias}.program_id`)} AND payer.click_id = ${sql.ref(`${alias}.click_id`)})`

export type PayerMailbox = { programId: number; clickId: string; mailboxHash: Buffer }

/** Stores the mailboxes of payers. Returns those that were not known. */
export const addPayerMailboxes = async (tx: Tx, payers: PayerMailbox[]): Promise<PayerMailbox[]> => {
  if (payers.length === 0) return []
  const column = columnsOf(payers)
  const { rows } = await sql<PayerMailbox>`
    INSERT INTO payer_mailboxes (program_id, click_id, mailbox_hash)
    SELECT DISTINCT program_id, click_id COLLATE "C", mailbox_hash FROM unnest(${column('programId', 'integer')}, ${column('clickId', 'text')},
      ${column('mailboxHash', 'bytea')}) AS stated(program_id, click_id, mailbox_hash)
    ORDER BY 1, 2, 3
    ON CONFLICT (program_id, click_id, mailbox_hash) DO NOTHING
    RETURNING *`.execute(tx)
  return rows
}

export const forgetPayerMailboxes = (tx: Tx, { programId, clickId }: { programId: number; clickId: string | null }) =>
  tx
    .deleteFrom('payerMailboxes')
    .where('programId', '=', programId)
    .where('clickId', '=', clickId ?? '')
    .execute()
