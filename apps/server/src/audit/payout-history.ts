import type { PayoutLineEvent } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { nameOf, usersById } from '../database/sql/users-by-id.ts'

export const PAYOUT_CREATED = 'payout created'

type Event = Omit<PayoutLineEvent, 'at'> & { at: Date }

/** What members did with a payout line, according to the audit log, oldest first. */
export const payoutLineHistory = async (
  db: Database,
  { programId, payoutId, lineId }: { programId: number; payoutId: number; lineId: number },
) => {
  const line = `payout line ${lineId}`
  const { rows } = await sql<Omit<Event, 'userName'> & { userId: string | null }>`
    SELECT event.action, event.at, event.user_id, event.amount_cents, event.file, event.reference, event.note FROM (
      SELECT id, user_id, created_at AS at, 'created' AS action, null::bigint AS amount_cents, null AS file, null AS reference, null AS note
      FROM audit_entries
      WHERE program_id = ${programId} AND subject = ${`payout ${payoutId}`} AND action = ${PAYOUT_CREATED}
      UNION ALL
      SELECT entry.id, user_id, created_at, 'exported', (exported->>'amountCents')::bigint, entry.after->>'format', null, null
      FROM audit_entries entry CROSS JOIN LATERAL jsonb_array_elements(entry.after->'lines') exported
      WHERE program_id = ${programId} AND subject = ${`payout ${payoutId}`} AND action = 'payout exported'
        AND (exported->>'id')::bigint = ${lineId}
      UNION ALL
      SELECT id, user_id, created_at, replace(action, 'payout line ', ''), (after->>'amountCents')::bigint, null, after->>'reference',
        after->>'note'
      FROM audit_entries
      WHERE program_id = ${programId} AND subject = ${line} AND action IN ('payout line paid', 'payout line failed', 'payout line reset')
    ) event
    ORDER BY event.id`.execute(db)
  const users = await usersById(
    db,
    rows.map(({ userId }) => userId),
  )
  return rows.map(({ userId, ...event }): Event => ({ ...event, userName: nameOf(users, userId) }))
}
