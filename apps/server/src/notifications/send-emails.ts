import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { usersById } from '../database/sql/users-by-id.ts'
import type { Delivery, Mailer } from '../mail/mailer.ts'
import { findProgram } from '../programs/programs.ts'
import type { Fact } from './details.ts'
import { stillWantsMail } from './preferences.ts'
import { type Addresses, messageIdOf, senderOf, writeEmail } from './write-email.ts'

const MINUTE_MS = 60_000
/** Much longer than a delivery can take. */
const LEASE_MS = 15 * MINUTE_MS
const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS
const GIVE_UP_MS = 3 * 24 * 60 * MINUTE_MS
/** Per run; the next run continues. */
const MAX_EMAILS = 500
/** In a row: the mail server is probably down. */
const MAX_DELAYED = 5

type Sender = Addresses & {
  db: Database
  clock: Clock
  mailer: Mailer | null
  /** Ends the run after the current email, so that stopping the service loses none. */
  isStopping?: () => boolean
}

/**
 * Sends the emails that are due. Safe to run concurrently. Each email is marked `sending` before the mail server is called, so a crash
 * in between can lose it but never sends it twice.
 */
export const sendEmails = async (sender: Sender) => {
  const { db, clock, mailer, isStopping } = sender
  if (!mailer) return
  await abandonInterrupted(db, clock())
  let delayed = 0
  for (let tried = 0; tried < MAX_EMAILS && delayed < MAX_DELAYED && !isStopping?.(); tried++) {
    const claimed = await claim(db, clock())
    if (!claimed) return
    const { mail } = await send({ ...sender, mailer }, claimed)
    delayed = mail === 'waiting' ? delayed + 1 : 0
  }
}

const abandonInterrupted = (db: Database, at: Date) =>
  sql`
    UPDATE notification_recipients SET mail = 'unknown', mail_at = ${at}, mail_error = 'interrupted'
    WHERE mail = 'sending' AND mail_at < ${new Date(at.getTime() - LEASE_MS)}`.execute(db)

type Claimed = { programId: number; notificationId: number; userId: string; attempts: number }

const claim = async (db: Database, at: Date) => {
  const { rows } = await sql<Claimed>`
    UPDATE notification_recipients SET mail = 'sending', mail_at = ${at}, attempts = attempts + 1
    WHERE (program_id, notification_id, user_id) IN (
      SELECT program_id, notification_id, user_id FROM notification_recipients
      WHERE mail = 'waiting' AND mail_at <= ${at} ORDER BY mail_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING program_id, notification_id, user_id, attempts`.execute(db)
  return rows[0]
}

const load = async (db: Database, { programId, notificationId, userId }: Claimed) => {
  const notification = await db
    .selectFrom('notifications')
    .select(['kind', 'details', 'createdAt'])
    .where('programId', '=', programId)
    .where('id', '=', notificationId)
    .executeTakeFirst()
  const user = (await usersById(db, [userId])).get(userId)
  const program = await findProgram(db, programId)
  if (!notification || !user || !program) return null
  const { kind, details, createdAt } = notification
  return { fact: { kind, details } as unknown as Fact, createdAt, email: user.email, program }
}

const send = async (sender: Sender & { mailer: Mailer }, claimed: Claimed) => {
  const { db, clock, mailer } = sender
  const { programId, userId } = claimed
  const found = await load(db, claimed)
  // Old news must not go out when a mail server is set up later.
  const isOld = found && claimed.attempts === 1 && isLate(found.createdAt, clock())
  if (!found || isOld || !(await stillWantsMail(db, { programId, userId, kind: found.fact.kind })))
    return finish(db, claimed, { mail: 'skipped', mailAt: clock() })
  const { program, fact, email, createdAt } = found
  const written = writeEmail({ ...sender, program, fact, userId, sender: await senderOf(db, program, fact.kind) })
  const messageId = messageIdOf(claimed, mailer.domain)
  const delivery = await mailer.deliver(email, { ...written, messageId })
  return finish(db, claimed, resultOf(delivery, { attempts: claimed.attempts, createdAt, at: clock() }))
}

const isLate = (createdAt: Date, at: Date) => at.getTime() - createdAt.getTime() > GIVE_UP_MS

type Result = { mail: 'waiting' | 'sent' | 'failed' | 'unknown' | 'skipped'; mailAt: Date; mailError?: string }

/** What to do after an attempt. */
export const resultOf = (
  delivery: Delivery,
  { attempts, createdAt, at }: { attempts: number; createdAt: Date; at: Date },
): Result => {
  if (delivery.outcome === 'accepted') return { mail: 'sent', mailAt: at }
  const { outcome, code: mailError } = delivery
  if (outcome === 'unknown') return { mail: 'unknown', mailAt: at, mailError }
  if (outcome === 'refused' || isLate(createdAt, at)) return { mail: 'failed', mailAt: at, mailError }
  const pause = Math.min(2 ** Math.min(attempts, 20) * MINUTE_MS, LONGEST_PAUSE_MS)
  return { mail: 'waiting', mailAt: new Date(at.getTime() + pause), mailError }
}

const finish = async (db: Database, { programId, notificationId, userId }: Claimed, result: Result) => {
  await db
    .updateTable('notificationRecipients')
    .set(result)
    .where('programId', '=', programId)
    .where('notificationId', '=', notificationId)
    .where('userId', '=', userId)
    .where('mail', '=', 'sending')
    .execute()
  return result
}
