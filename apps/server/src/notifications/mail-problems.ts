import type { NotificationPreviews } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

const MONTH_MS = 30 * 86_400_000

/** The latest emails of a program that were given up. */
export const findMailProblems = async (db: Database, { programId, at }: { programId: number; at: Date }) => {
  const { rows } = await sql<NotificationPreviews['problems'][number] & { since: Date }>`
    SELECT notification.kind, users.email, recipient.mail AS status, recipient.mail_error AS error, recipient.mail_at AS since
    FROM notifications notification
    JOIN notification_recipients recipient
      ON (recipient.program_id, recipient.notification_id) = (notification.program_id, notification.id)
    JOIN users ON users.id = recipient.user_id
    WHERE notification.program_id = ${programId} AND recipient.mail IN ('failed', 'unknown')
      AND recipient.mail_at > ${new Date(at.getTime() - MONTH_MS)}
    ORDER BY notification.id DESC LIMIT 20`.execute(db)
  return rows.map(({ since, ...row }) => ({ ...row, at: since.toISOString() }))
}
