import type { ACCESS_CHANGES } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

export const SIGN_IN_ADDED = 'partner sign-in added'
export const SIGN_IN_REMOVED = 'partner sign-in removed'

const SHOWN_DAYS = 30
const DAY_MS = 86_400_000
const MAX_SHOWN = 20

type Change = (typeof ACCESS_CHANGES)[number]

/**
 * Recent changes to a partner's email address and sign-in, newest first, shown to the partner. Omits the first sign-in (its
 * `before` is null) and address changes before it.
 */
export const listAccessChanges = async (
  db: Database,
  { programId, partnerId, at }: { programId: number; partnerId: number; at: Date },
) => {
  const since = new Date(at.getTime() - SHOWN_DAYS * DAY_MS)
  const subject = `partner ${partnerId}`
  const { rows } = await sql<{ change: Change; at: Date }>`
    SELECT change, created_at AS at FROM (
      SELECT id, created_at, CASE
        WHEN action = ${SIGN_IN_ADDED} AND before IS NOT NULL THEN 'sign_in_added'
        WHEN action = ${SIGN_IN_REMOVED} THEN 'sign_in_removed'
        WHEN action = 'partner changed' AND after ? 'email' AND before->>'email' IS NOT NULL
          AND lower(before->>'email') IS DISTINCT FROM lower(after->>'email')
          AND id > (SELECT min(id) FROM audit_entries
            WHERE program_id = ${programId} AND subject = ${subject} AND action = ${SIGN_IN_ADDED}) THEN 'email_changed'
      END AS change
      FROM audit_entries
      WHERE program_id = ${programId} AND subject = ${subject} AND created_at > ${since}) entry
    WHERE change IS NOT NULL
    ORDER BY id DESC LIMIT ${sql.lit(MAX_SHOWN)}`.execute(db)
  return rows
}
