import { textColorOn } from '@tributary/contract/accent-color'
import { formatDate } from '../format-time.ts'
import { html } from '../html.ts'
import { buildEmail, buildNotice, IGNORE } from './emails.ts'

/** What an email shows of the program it is about. */
export type ProgramSender = {
  programName: string
  supportEmail?: string | null
  accentColor?: string | null
  logo?: { bytes: Uint8Array; type: string } | null
}

type Invitation = ProgramSender & { partnerName: string; url: string; expiresAt: Date }

export const partnerInvitation = ({ partnerName, url, expiresAt, ...sender }: Invitation) =>
  buildEmail({
    subject: `Join ${sender.programName} as a partner`,
    before: `Hi ${partnerName}, you are invited to the partner portal of “${sender.programName}”, where you can see your links, commissions and payouts.`,
    link: { label: 'Accept invitation', url },
    after: `This link is personal and expires on ${formatDate(expiresAt, 'UTC')}. ${IGNORE}${questionsTo(sender)}`,
    ...lookOf(sender),
  })

/** Only this link proves that the applicant reads the address. */
export const confirmApplication = ({ url, ...sender }: ProgramSender & { url: string }) =>
  buildEmail({
    subject: `Confirm your application to ${sender.programName}`,
    before: `Someone applied to become a partner of “${sender.programName}” with this email address. If it was you, confirm the address.`,
    link: { label: 'Confirm email address', url },
    after: `The link expires in 14 days. If you didn’t apply, ignore this email.${questionsTo(sender)}`,
    ...lookOf(sender),
  })

const DECISIONS = {
  approved: {
    subject: (program: string) => `You’ve been accepted into ${program}`,
    text: (program: string) =>
      `Your application to “${program}” was approved. Your links and commissions are in the partner portal.`,
  },
  rejected: {
    subject: (program: string) => `Your application to ${program} wasn’t accepted`,
    text: (program: string) =>
      `Your application to “${program}” wasn’t accepted. You can see its status in the partner portal.`,
  },
} as const

type Decision = ProgramSender & { decision: keyof typeof DECISIONS; message: string | null; url: string }

export const applicationDecided = ({ decision, message, url, ...sender }: Decision) => {
  const { programName } = sender
  const { subject, text } = DECISIONS[decision]
  return buildEmail({
    subject: subject(programName),
    before: `${text(programName)}${message ? ` Message from ${programName}: ${message}` : ''}`,
    link: { label: 'Open partner portal', url },
    after: questionsTo(sender).trim() || 'You receive this email because you applied with this address.',
    ...lookOf(sender),
  })
}

const unexpected = ({ supportEmail }: ProgramSender) =>
  `If you didn’t expect this, contact the program now${supportEmail ? ` at ${supportEmail}` : ''}. It affects who receives your payouts.`

export const emailChanged = ({ email, ...sender }: ProgramSender & { email: string | null }) =>
  buildNotice({
    subject: `Your email address for ${sender.programName} was changed`,
    text: `Your email address as a partner of “${sender.programName}” was ${email ? `changed to ${email}` : 'removed'}. ${unexpected(sender)}`,
  })

export const signInAdded = ({ email, ...sender }: ProgramSender & { email: string }) =>
  buildNotice({
    subject: `New sign-in added to your ${sender.programName} partner account`,
    text: `${email} can now sign in to your account in the partner portal of “${sender.programName}”. ${unexpected(sender)}`,
  })

export const signInRemoved = (sender: ProgramSender) =>
  buildNotice({
    subject: `Your access to ${sender.programName} was removed`,
    text: `You can no longer sign in to the partner portal of “${sender.programName}”. ${unexpected(sender)}`,
  })

const questionsTo = ({ supportEmail }: ProgramSender) => (supportEmail ? ` Questions? Write to ${supportEmail}.` : '')

/** The logo is part of the email, so opening it loads nothing. */
const lookOf = ({ logo, accentColor, programName }: ProgramSender) => ({
  ...(logo && {
    header: html`<p><img src="cid:logo" alt="${programName}" height="40"></p>`,
    attachments: [{ cid: 'logo', filename: 'logo', content: Buffer.from(logo.bytes), contentType: logo.type }],
  }),
  ...(accentColor && {
    linkStyle: `display:inline-block;padding:8px 14px;border-radius:6px;text-decoration:none;background:${accentColor};color:${textColorOn(accentColor)}`,
  }),
})
