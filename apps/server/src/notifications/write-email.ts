import { createHash } from 'node:crypto'
import { isTeamKind } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Email } from '../mail/emails.ts'
import { notificationEmail } from '../mail/notification-email.ts'
import type { ProgramSender } from '../mail/program-emails.ts'
import { mailBrandOf } from '../programs/mail-brand.ts'
import type { Program } from '../programs/programs.ts'
import type { Fact } from './details.ts'
import { messageOf } from './messages.ts'
import { unsubscribeToken } from './unsubscribe-links.ts'

export type Addresses = { baseUrl: string; portalUrl: string; unsubscribeKey: Buffer }

type Letter = Addresses & {
  program: Pick<Program, 'id' | 'name' | 'timezone'>
  sender: ProgramSender
  fact: Fact
  /** Null for a sample, which has nothing to unsubscribe from. */
  userId: string | null
}

/** Members know the program by its own name and need no branding. */
export const senderOf = async (db: Database, program: Program, kind: string): Promise<ProgramSender> =>
  isTeamKind(kind) ? { programName: program.name } : mailBrandOf(db, program)

/** Partners open the portal, members the dashboard. */
export const writeEmail = ({ program, sender, fact, userId, ...addresses }: Letter): Email => {
  const isTeam = isTeamKind(fact.kind)
  const base = isTeam ? addresses.baseUrl : addresses.portalUrl
  const context = { programId: program.id, programName: sender.programName, timezone: program.timezone }
  const { title, lines, action } = messageOf(fact, context)
  const subscription = { programId: program.id, kind: fact.kind, userId: userId ?? '' }
  return notificationEmail({
    title,
    lines,
    sender,
    action: { label: action.label, url: `${base}${action.path}` },
    unsubscribeUrl: userId && `${base}/unsubscribe/${unsubscribeToken(addresses.unsubscribeKey, subscription)}`,
    settingsUrl: `${base}${isTeam ? `/programs/${program.id}/settings/notifications` : `/portal/${program.id}/notifications`}`,
  })
}

type MessageKey = { programId: number; notificationId: number; userId: string }

/** The same for every attempt, so that mail servers can recognize a duplicate. */
export const messageIdOf = ({ programId, notificationId, userId }: MessageKey, domain: string) => {
  const person = createHash('sha256').update(userId).digest('hex').slice(0, 16)
  return `<notification.${programId}.${notificationId}.${person}@${domain}>`
}
