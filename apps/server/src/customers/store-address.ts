import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import type { StoredEmail } from './customers.ts'

type Address = { programId: number; clickId: string; email: StoredEmail }

/** Stores the server's address for a customer without one, with a browser's, or with the same one from before mailboxes were stored. */
export const addAddress = (tx: Tx, { programId, clickId, email }: Address) =>
  sql`
    WITH before AS (
      SELECT program_id, click_id, email_hash FROM customers
      WHERE program_id = ${programId} AND click_id = ${clickId} AND customer_key IS NOT NULL AND mailbox_hash IS NULL
        AND (email_hash IS NULL OR email_hash = ${email.hash} OR EXISTS (
          SELECT FROM leads WHERE leads.program_id = ${programId} AND leads.click_id = ${clickId} AND leads.settled_by = 'browser'))
      FOR NO KEY UPDATE),
    replaced AS (
      DELETE FROM customer_emails USING before
      WHERE customer_emails.program_id = before.program_id AND customer_emails.email_hash = before.email_hash
        AND customer_emails.click_id = before.click_id AND before.email_hash <> ${email.hash}),
    named AS (
      UPDATE customers SET email_hash = ${email.hash}, mailbox_hash = ${email.mailboxHash}, email_masked = ${email.masked}
      FROM before WHERE customers.program_id = before.program_id AND customers.click_id = before.click_id
      RETURNING customers.program_id, customers.email_hash, customers.click_id)
    INSERT INTO customer_emails (program_id, email_hash, click_id) SELECT * FROM named
    ON CONFLICT (program_id, email_hash, click_id) DO UPDATE SET click_id = excluded.click_id`.execute(tx)

/** Stores the address of a repeated browser lead like one in the first, while only browsers have reported the customer. */
export const addBrowserAddress = (tx: Tx, { programId, clickId, email }: Address) =>
  sql`
    WITH named AS (
      UPDATE customers SET email_hash = ${email.mailboxHash}, email_masked = ${email.masked}
      WHERE program_id = ${programId} AND click_id = ${clickId} AND customer_key IS NOT NULL AND email_hash IS NULL AND EXISTS (
        SELECT FROM leads WHERE leads.program_id = ${programId} AND leads.click_id = ${clickId}
          AND leads.settled_by = 'browser' AND leads.confirmed_at IS NULL)
      RETURNING program_id, email_hash, click_id)
    INSERT INTO customer_emails (program_id, email_hash, click_id) SELECT * FROM named`.execute(tx)
