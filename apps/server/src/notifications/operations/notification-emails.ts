import { isTeamKind, type NotificationPreview, type NotificationPreviews } from '@tributary/contract'
import { NOTIFICATION_EMAILS } from '@tributary/contract/declared'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { usersById } from '../../database/sql/users-by-id.ts'
import type { Email } from '../../mail/emails.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Fact } from '../details.ts'
import { type Addresses, senderOf, writeEmail } from '../write-email.ts'

/** Every email with sample data, as a preview or sent to the caller. */
export const notificationEmails = ({ mailer, ...addresses }: Addresses & { mailer: Mailer | null }) => {
  const write = async (db: Database, program: Program, fact: Fact) =>
    writeEmail({ ...addresses, program, sender: await senderOf(db, program, fact.kind), fact, userId: null })

  return runs(
    NOTIFICATION_EMAILS,
    {},
    {
      preview: async ({ db, program, clock }) => {
        const previews: NotificationPreview[] = []
        for (const fact of samplesIn(program.currency)) {
          const { subject, text, html, attachments } = await write(db, program, fact)
          const audience = isTeamKind(fact.kind) ? 'team' : 'partner'
          previews.push({ kind: fact.kind, audience, subject, text, html: withLogo(html, attachments) })
        }
        const problems = await findMailProblems(db, { programId: program.id, at: clock() })
        return { hasMail: mailer !== null, previews, problems }
      },

      sendSample: {
        ownTransactions: async ({ db, program, actor: { email }, body: { kind } }) => {
          if (!mailer)
            throw new Refusal(
              'conflict',
              'This service can’t send email because no mail server is set up. Ask the person who runs it to set SMTP_URL.',
            )
          const fact = samplesIn(program.currency).find((sample) => sample.kind === kind)
          if (!fact) throw new Error(`no sample of ${kind}`)
          const written = await write(db, program, fact)
          const mailed = await mailer.send(email, { ...written, subject: `[Sample] ${written.subject}` })
          return { email, mailed }
        },
      },
    },
  )
}

/** A browser cannot show an attachment of an email. */
const withLogo = (html: string, attachments: Email['attachments']) => {
  const [logo] = attachments ?? []
  return logo ? html.replace('cid:logo', `data:${logo.contentType};base64,${logo.content.toString('base64')}`) : html
}

const MONTH_MS = 30 * 86_400_000

type Problem = Omit<NotificationPreviews['problems'][number], 'email' | 'at'> & { userId: string; since: Date }

/** The latest emails of a program that were given up. */
const findMailProblems = async (db: Database, { programId, at }: { programId: number; at: Date }) => {
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

/** One of each kind, for previews. */
export const samplesIn = (currency: string): Fact[] => {
  const amount = { amountCents: 12_500, currency }
  const draft = {
    partners: 13,
    totals: [{ amountCents: 150_000, currency }],
    ready: { partners: 12, totals: [{ amountCents: 137_500, currency }] },
  }
  const since = '2026-11-02T09:30:00.000Z'
  const webhook = { endpointId: 1, host: 'hooks.example.com', since, reason: 'failing' as const }
  return [
    { kind: 'application_received', details: { partnerId: 1, name: 'Maya Lindqvist' } },
    { kind: 'review_waiting', details: { count: 3 } },
    { kind: 'draft_ready', details: { period: '2026-11-01', ...draft, missing: { partners: 1, totals: [amount] } } },
    { kind: 'connection_silent', details: { days: 7, lastAt: '2026-11-02T09:30:00.000Z' } },
    { kind: 'clicks_stopped', details: { lastDay: '2026-11-06' } },
    { kind: 'webhook_failing', details: webhook },
    { kind: 'webhook_disabled', details: webhook },
    { kind: 'application_approved', details: { message: 'Welcome aboard!' } },
    { kind: 'application_rejected', details: { message: null } },
    { kind: 'terms_changed', details: { what: 'reward' } },
    { kind: 'first_commission', details: amount },
    { kind: 'payout_sent', details: { ...amount, reference: 'TR-1042', paidOn: '2026-11-03' } },
    { kind: 'payout_details_missing', details: { amounts: [amount] } },
    {
      kind: 'summary',
      details: {
        frequency: 'monthly',
        firstDay: '2026-10-01',
        lastDay: '2026-10-31',
        clicks: 412,
        leads: 18,
        sales: 7,
        commissions: [amount],
      },
    },
  ]
}
