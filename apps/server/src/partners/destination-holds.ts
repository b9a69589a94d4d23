import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/any-of.ts'
import type { Tx } from '../database/transaction.ts'

export const HOLD_HOURS = 48

type Change = { programId: number; partnerId: number; at: Date }

/**
 * Keeps a partner out of payment files for 48 hours. To be called in the transaction that changes where the partner is paid, or
 * who can change that: a taken-over account is noticed before money goes to it. A partner needs no payout details for it.
 */
export const holdPayoutDestination = (tx: Tx, { programId, partnerId, at }: Change) =>
  sql`INSERT INTO partner_destination_holds (program_id, partner_id, changed_at, held_until)
    VALUES (${programId}, ${partnerId}, ${at}, ${new Date(at.getTime() + HOLD_HOURS * 3_600_000)})
    ON CONFLICT (program_id, partner_id) DO UPDATE
    SET changed_at = excluded.changed_at, held_until = greatest(partner_destination_holds.held_until, excluded.held_until)`.execute(
    tx,
  )

/** The holds of these partners that have not expired, by partner. */
export const destinationHolds = async (
  db: Database | Tx,
  { programId, ids, at }: { programId: number; ids: number[]; at: Date },
) => {
  const rows = await db
    .selectFrom('partnerDestinationHolds')
    .select(['partnerId', 'changedAt', 'heldUntil'])
    .where('programId', '=', programId)
    .where('partnerId', '=', anyOf(ids))
    .where('heldUntil', '>', at)
    .execute()
  return new Map(rows.map(({ partnerId, ...hold }) => [partnerId, hold]))
}
