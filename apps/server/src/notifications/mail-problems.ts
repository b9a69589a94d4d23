import type { NotificationPreviews } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { usersById } from '../database/sql/users-by-id.ts'

const MONTH_MS = 30 * 86_400_000

type Problem = Omit<NotificationPreviews['problems'][number], 'email' | 'at'> & { userId: string; since: Date }

/** The latest emails of a program that were given up. */
export const findMailProblems = async (db: Database, { programId, at }: { programId: number; at: Date }) => {
  const { rows } = await sql<Problem>`
    SELECT notification.kind, recipient.user_id, recipient.mail AS status, recipient.mail_error AS error, recipient.mail_at AS since
    FROM notifications notification
    JOIN notification_recipients recipient
      ON (recipient.program_id, recipient.notification_id) = (notification.program_id, notification.id)
    WHERE notification.program_id = ${programId} AND recipient.mail IN ('failed', 'unknown')
      AND recipient.mail_at > ${new Date(at.getTime() - MONTH_MS)}
    ORDER BY notification.id DESC LIMIT 20`.execute(db)
  const users = await usersById(
    db,
    rows.map(({ userId }) => userId),
  )
  return rows.flatMap(({ userId, since, ...row }) => {
    const email = users.get(userId)?.email
    return email === undefined ? [] : [{ ...row, email, at: since.toISOString() }]
  })
}
