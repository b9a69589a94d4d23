import type { NotificationKind, NotificationList } from '@tributary/contract'
import { MAX_NOTIFICATIONS } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, anyOfTexts } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'
import type { Fact } from './details.ts'
import { type MessageContext, messageOf } from './messages.ts'

/** `kinds`: those the reader may see now. A member who lost a permission no longer sees what it was for. */
type Reader = { programId: number; userId: string; kinds: readonly NotificationKind[] }

export const listNotifications = async (
  db: Database | Tx,
  { programId, userId, kinds, context }: Reader & { context: MessageContext },
): Promise<NotificationList> => {
  const mine = db
    .selectFrom('notificationRecipients as recipient')
    .innerJoin('notifications as notification', (join) =>
      join
        .onRef('notification.programId', '=', 'recipient.programId')
        .onRef('notification.id', '=', 'recipient.notificationId'),
    )
    .where('recipient.programId', '=', programId)
    .where('recipient.userId', '=', userId)
    .where('recipient.inApp', '=', true)
    .where('notification.kind', '=', anyOfTexts(kinds))
  const rows = await mine
    .select([
      'notification.id',
      'notification.kind',
      'notification.details',
      'notification.createdAt',
      'recipient.readAt',
    ])
    .orderBy('notification.id', 'desc')
    .limit(MAX_NOTIFICATIONS)
    .execute()
  const counted = await mine
    .where('recipient.readAt', 'is', null)
    .select((expression) => expression.fn.countAll<number>().as('unread'))
    .executeTakeFirst()
  return {
    unread: counted?.unread ?? 0,
    // The newest by ID, but shown by time: imported and demo notifications have earlier times.
    notifications: rows
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .map(({ id, kind, details, createdAt, readAt }) => {
        const { title, lines, action } = messageOf({ kind, details } as unknown as Fact, context)
        return {
          id,
          kind: kind as NotificationKind,
          title,
          text: lines.join(' '),
          path: action.path,
          read: readAt !== null,
          createdAt: createdAt.toISOString(),
        }
      }),
  }
}

type Reading = Omit<Reader, 'kinds'> & { ids: number[] | undefined; at: Date }

/** Marks the reader's own notifications; all of them without `ids`. */
export const markRead = (tx: Tx, { programId, userId, ids, at }: Reading) =>
  sql`
    UPDATE notification_recipients SET read_at = ${at}
    WHERE program_id = ${programId} AND user_id = ${userId} AND in_app AND read_at IS NULL
      ${ids ? sql`AND notification_id = ${anyOf(ids)}` : sql``}`.execute(tx)

const RETENTION_MS = 180 * 86_400_000

/** Read or not, nothing older is kept. */
export const purgeNotifications = (db: Database, at: Date) =>
  sql`
    DELETE FROM notifications WHERE (program_id, id) IN (
      SELECT program_id, id FROM notifications WHERE created_at < ${new Date(at.getTime() - RETENTION_MS)} LIMIT 10000)`.execute(
    db,
  )
