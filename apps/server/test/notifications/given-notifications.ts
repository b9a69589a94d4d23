import { sql } from 'kysely'
import pino from 'pino'
import { createMailer } from '../../src/mail/mailer.ts'
import { sendEmails } from '../../src/notifications/send-emails.ts'
import { UNSUBSCRIBE_LINKS } from '../../src/notifications/unsubscribe-links.ts'
import { deriveKey } from '../../src/secrets.ts'
import { SECRETS, type TestService } from '../support/service.ts'

const ADDRESSES = {
  baseUrl: 'http://localhost:3000',
  portalUrl: 'http://localhost:3000',
  unsubscribeKey: deriveKey(SECRETS, UNSUBSCRIBE_LINKS),
}

/** One run of the job that sends emails; housekeeping runs the same every ten seconds. */
export const sendDue = ({ db, clock }: TestService, mail: Parameters<typeof createMailer>[0] | null) => {
  const mailer = mail && createMailer(mail, { log: pino({ level: 'silent' }) })
  return sendEmails({ ...ADDRESSES, db, clock: clock.now, mailer })
}

/** The emails of a program by status. */
export const mailsOf = async ({ db }: TestService, programId: number) => {
  const { rows } = await sql<{ kind: string; mail: string | null; attempts: number }>`
    SELECT kind, mail, attempts FROM notification_recipients recipient
    JOIN notifications notification ON (notification.program_id, notification.id) = (recipient.program_id, recipient.notification_id)
    WHERE recipient.program_id = ${programId} ORDER BY notification.id, user_id`.execute(db)
  return rows
}
