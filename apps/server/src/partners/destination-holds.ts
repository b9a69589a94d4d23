import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'

export const HOLD_HOURS = 48

type Change = { programId: number; partnerId: number; at: Date }

/**
 * Excludes a partner from payment files for 48 hours, so that an account takeover is noticed before money is sent. Call it in
 * the transaction that changes the payout destination or who can change it. Works without payout details.
 */
export const holdPayoutDestination = (tx: Tx, { programId, partnerId, at }: Change) =>
  sql`INSERT INTO partner_destination_holds (program_id, partner_id, changed_at, held_until)
    VALUES (${programId}, ${partnerId}, ${at}, ${new Date(at.getTime() + HOLD_HOURS * 3_600_000)})
    ON CONFLICT (program_id, partner_id) DO UPDATE
    SET changed_at = excluded.changed_at, held_until = greatest(partner_destination_holds.held_until, excluded.held_until)`.execute(
    tx,
  )

/** Active holds by partner. */
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
