import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

type Commissions = { programId: number; ids: number[]; at: Date }

/**
 * Marks the commissions among these whose hold period has ended, and unmarks those whose date was moved to the future. Receivers
 * see a commission as `held` until it is marked, so the mark and its event commit together. Commissions of a partner who is not
 * approved are marked on approval.
 */
export const settleHolds = async (tx: Tx, { programId, ids, at }: Commissions) => {
  await sql`
    WITH named AS (
      SELECT commission.program_id, commission.id, commission.payable_at, partner.status = 'approved' AS is_approved
      FROM commissions commission
      JOIN partners partner ON partner.program_id = commission.program_id AND partner.id = commission.partner_id
      WHERE commission.program_id = ${programId} AND commission.id = ANY (${ids}::bigint[])),
    extended AS (
      DELETE FROM outbox_payable marked USING named
      WHERE marked.program_id = named.program_id AND marked.commission_id = named.id AND named.payable_at > ${at})
    INSERT INTO outbox_payable (program_id, commission_id)
    SELECT program_id, id FROM named WHERE payable_at <= ${at} AND is_approved ORDER BY id
    ON CONFLICT (program_id, commission_id) DO NOTHING`.execute(tx)
}

/** Marks every commission whose hold period has ended, so that none is announced later. */
export const markEnded = (tx: Tx, { programId, at }: { programId: number; at: Date }) =>
  sql`
    INSERT INTO outbox_payable (program_id, commission_id)
    SELECT program_id, id FROM commissions WHERE program_id = ${programId} AND payable_at <= ${at}
    ON CONFLICT (program_id, commission_id) DO NOTHING`.execute(tx)

type Which = { programId: number; at: Date } & ({ ids: number[] } | { partnerId: number })

/** The commissions among these whose hold period has ended without being announced. */
export const findUnannounced = async (tx: Tx, { programId, at, ...which }: Which) => {
  const { rows } = await sql<{ id: number }>`
    SELECT commission.id FROM commissions commission
    WHERE commission.program_id = ${programId} AND commission.payable_at <= ${at}
      AND ${'ids' in which ? sql`commission.id = ANY (${which.ids}::bigint[])` : sql`commission.partner_id = ${which.partnerId}`}
      AND NOT EXISTS (SELECT FROM outbox_payable marked
        WHERE marked.program_id = commission.program_id AND marked.commission_id = commission.id)
    ORDER BY commission.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Commissions created by an earlier transaction that has not committed yet are found by a later run. */
const OVERLAP = sql`interval '1 hour'`

type Ended = { programId: number; id: number; partnerId: number; currency: string }

/** Commissions of approved partners whose hold period has ended since the last run, in the order of locks. */
export const findEndedHolds = async (db: Database, { at, limit }: { at: Date; limit: number }) => {
  const { rows } = await sql<Ended>`
    SELECT commission.program_id, commission.id, commission.partner_id, commission.currency
    FROM outbox_heads head
    JOIN commissions commission ON commission.program_id = head.program_id AND commission.payable_at <= ${at}
      -- A run with a clock that was ahead has left a time in the future.
      AND commission.payable_at >= least(head.payable_until, ${at}) - ${OVERLAP}
      -- Lets Postgres read the recent commissions of all programs once.
      AND commission.payable_at >= (SELECT least(min(payable_until), ${at}) FROM outbox_heads) - ${OVERLAP}
    JOIN partners partner ON partner.program_id = commission.program_id AND partner.id = commission.partner_id
      AND partner.status = 'approved'
    WHERE NOT EXISTS (SELECT FROM outbox_payable marked
      WHERE marked.program_id = commission.program_id AND marked.commission_id = commission.id)
    ORDER BY commission.program_id, commission.partner_id, commission.currency, commission.id LIMIT ${limit}`.execute(
    db,
  )
  return rows
}

/** Everything that ended before `at` is announced. Not after every run, because sequencers need the rows. */
export const markAnnouncedUntil = (db: Database, at: Date) =>
  db
    .updateTable('outboxHeads')
    .set({ payableUntil: at })
    .where('payableUntil', '<', sql<Date>`${at}::timestamptz - interval '10 minutes'`)
    .execute()
