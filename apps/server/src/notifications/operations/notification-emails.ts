import { isTeamKind, type NotificationPreview } from '@tributary/contract'
import { NOTIFICATION_EMAILS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import type { Email } from '../../mail/emails.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { Fact } from '../details.ts'
import { findMailProblems } from '../mail-problems.ts'
import { samplesIn } from '../samples.ts'
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
