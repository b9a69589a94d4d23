import {
  isTeamKind,
  markReadRequest,
  type NotificationPreview,
  type Role,
  teamPreferencesRequest,
  testNotificationRequest,
} from '@tributary/contract'
import { roleIn } from '../../accounts/workspaces.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Email } from '../../mail/emails.ts'
import type { Fact } from '../../notifications/details.ts'
import { listNotifications, markRead } from '../../notifications/inbox.ts'
import { findMailProblems } from '../../notifications/mail-problems.ts'
import { changePreferences, findPreferences, kindsFor } from '../../notifications/preferences.ts'
import { samplesIn } from '../../notifications/samples.ts'
import { senderOf, writeEmail } from '../../notifications/write-email.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readJson, readOptionalJson } from '../read-json.ts'
import { requireProgram } from './require-session.ts'

const PATH = '/api/programs/:programId/notifications'

/** Notifications of members. */
export const notifications = (app: App, dependencies: Dependencies) => {
  const { clock, mailer } = dependencies
  const mayRead = requireProgram(dependencies, 'program:read')

  const readerOf = async (c: Call) => {
    const { id: programId, workspaceId, name: programName, timezone } = c.get('program')
    const { id: userId } = c.get('user')
    const reader = (await roleIn(dependencies.db, { userId, workspaceId })) as Role
    return { programId, userId, reader, context: { programId, programName, timezone } }
  }
  const list = async (c: Call) => {
    const { reader, ...person } = await readerOf(c)
    return c.json({ data: await listNotifications(c.get('db'), { ...person, kinds: kindsFor(reader) }) })
  }
  const preferences = async (c: Call) => {
    const { kinds } = await findPreferences(c.get('db'), await readerOf(c))
    return c.json({ data: { hasMail: mailer !== null, kinds } })
  }

  app.get(PATH, mayRead, list)

  app.post(`${PATH}/read`, mayRead, async (c) => {
    const { ids } = check(markReadRequest, await readOptionalJson(c))
    await markRead(c.get('db'), { programId: c.get('program').id, userId: c.get('user').id, ids, at: clock() })
    return list(c)
  })

  app.get(`${PATH}/preferences`, mayRead, preferences)

  app.put(`${PATH}/preferences`, mayRead, async (c) => {
    const { kinds } = check(teamPreferencesRequest, await readJson(c))
    const { programId, userId } = await readerOf(c)
    await inTransaction(c.get('db'), (tx) => changePreferences(tx, { programId, userId, kinds }))
    return preferences(c)
  })

  previews(app, dependencies)
}

const previews = (app: App, dependencies: Dependencies) => {
  const { clock, mailer, limits } = dependencies
  const mayUpdate = requireProgram(dependencies, 'program:update')

  app.get(`${PATH}/previews`, mayUpdate, async (c) => {
    const written: NotificationPreview[] = []
    for (const fact of samplesIn(c.get('program').currency)) {
      const { subject, text, html, attachments } = await writeSample(c, dependencies, fact)
      const audience = isTeamKind(fact.kind) ? 'team' : 'partner'
      written.push({ kind: fact.kind, audience, subject, text, html: withLogo(html, attachments) })
    }
    const problems = await findMailProblems(c.get('db'), { programId: c.get('program').id, at: clock() })
    return c.json({ data: { hasMail: mailer !== null, previews: written, problems } })
  })

  app.post(`${PATH}/test`, mayUpdate, async (c) => {
    const { kind } = check(testNotificationRequest, await readJson(c))
    limits.signIn(c.get('clientIp'))
    if (!mailer)
      throw new Refusal(
        'conflict',
        'This service can’t send email because no mail server is set up. Ask the person who runs it to set SMTP_URL.',
      )
    const fact = samplesIn(c.get('program').currency).find((sample) => sample.kind === kind)
    if (!fact) throw new Error(`no sample of ${kind}`)
    const { email } = c.get('user')
    const written = await writeSample(c, dependencies, fact)
    const mailed = await mailer.send(email, { ...written, subject: `[Sample] ${written.subject}` })
    return c.json({ data: { email, mailed } })
  })
}

const writeSample = async (c: Call, dependencies: Dependencies, fact: Fact) => {
  const program = c.get('program')
  const sender = await senderOf(c.get('db'), program, fact.kind)
  return writeEmail({ ...dependencies, program, sender, fact, userId: null })
}

/** A browser cannot show an attachment of an email. */
const withLogo = (html: string, attachments: Email['attachments']) => {
  const [logo] = attachments ?? []
  return logo ? html.replace('cid:logo', `data:${logo.contentType};base64,${logo.content.toString('base64')}`) : html
}
