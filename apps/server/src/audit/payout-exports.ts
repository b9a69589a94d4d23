import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

type Exported = { id: number; exportedCents: number | null }

/** When each line's highest exported amount was first exported, according to the audit log. */
export const exportTimes = async (
  db: Database | Tx,
  { programId, payoutId }: { programId: number; payoutId: number },
  lines: Exported[],
) => {
  const { rows } = await sql<{ id: number; amountCents: number; at: Date }>`
    SELECT (line->>'id')::int AS id, (line->>'amountCents')::bigint AS amount_cents, min(audit_entries.created_at) AS at
    FROM audit_entries CROSS JOIN LATERAL jsonb_array_elements(audit_entries.after->'lines') line
    WHERE audit_entries.program_id = ${programId} AND audit_entries.subject = ${`payout ${payoutId}`}
      AND audit_entries.action = 'payout exported' AND line->>'status' = 'open'
    GROUP BY 1, 2`.execute(db)
  const times = new Map(rows.map(({ id, amountCents, at }) => [`${id} ${amountCents}`, at]))
  return new Map(lines.map(({ id, exportedCents }) => [id, times.get(`${id} ${exportedCents}`) ?? null]))
}
