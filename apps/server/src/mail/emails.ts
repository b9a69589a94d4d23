import { html, markupOf } from '../html.ts'

export type Email = { subject: string; text: string; html: string }

type Invitation = { url: string; expiresAt: Date }

export const memberInvitation = ({
  workspaceName,
  inviterName,
  role,
  url,
  expiresAt,
}: Invitation & { workspaceName: string; inviterName: string; role: string }) =>
  buildEmail({
    subject: `Join ${workspaceName} on Tributary`,
    before: `${inviterName} invited you to the workspace “${workspaceName}” as ${role}.`,
    link: { label: 'Accept invitation', url },
    after: `This link is personal and expires on ${formatDay(expiresAt)}. ${IGNORE}`,
  })

export const partnerInvitation = ({
  programName,
  partnerName,
  url,
  expiresAt,
}: Invitation & { programName: string; partnerName: string }) =>
  buildEmail({
    subject: `Join ${programName} as a partner`,
    before: `Hi ${partnerName}, you are invited to the partner portal of “${programName}”, where you can see your links, commissions and payouts.`,
    link: { label: 'Accept invitation', url },
    after: `This link is personal and expires on ${formatDay(expiresAt)}. ${IGNORE}`,
  })

const UNEXPECTED = 'If you didn’t expect this, contact the program now. It affects who receives your payouts.'

export const emailChanged = ({ programName, email }: { programName: string; email: string | null }) =>
  buildNotice({
    subject: `Your email address for ${programName} was changed`,
    text: `Your email address as a partner of “${programName}” was ${email ? `changed to ${email}` : 'removed'}. ${UNEXPECTED}`,
  })

export const signInAdded = ({ programName, email }: { programName: string; email: string }) =>
  buildNotice({
    subject: `New sign-in added to your ${programName} partner account`,
    text: `${email} can now sign in to your account in the partner portal of “${programName}”. ${UNEXPECTED}`,
  })

export const signInRemoved = ({ programName }: { programName: string }) =>
  buildNotice({
    subject: `Your access to ${programName} was removed`,
    text: `You can no longer sign in to the partner portal of “${programName}”. ${UNEXPECTED}`,
  })

export const signInLink = ({ url }: { url: string }) =>
  buildEmail({
    subject: 'Sign in to Tributary',
    before: 'We received a request to sign in to your Tributary account.',
    link: { label: 'Sign in', url },
    after: 'The link works once and expires in 10 minutes. If you didn’t request this, ignore this email.',
  })

export const passwordReset = ({ url }: { url: string }) =>
  buildEmail({
    subject: 'Reset your Tributary password',
    before: 'We received a request to reset the password of your Tributary account.',
    link: { label: 'Reset password', url },
    after:
      'The link works once and expires in 1 hour. If you didn’t request this, ignore this email. Your password won’t change.',
  })

export const twoFactorTurnedOff = () =>
  buildNotice({
    subject: 'Two-factor sign-in was turned off',
    text: 'Two-factor sign-in was turned off for your Tributary account. If this wasn’t you, change your password now.',
  })

export const recoveryCodeUsed = ({ left }: { left: number }) =>
  buildNotice({
    subject: 'A recovery code was used to sign in',
    text: `Someone signed in to your Tributary account with a recovery code. You have ${left} left. If this wasn’t you, change your password and replace your recovery codes now.`,
  })

const IGNORE = 'If you didn’t expect this invitation, ignore this email.'

const formatDay = (date: Date) => date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

type Parts = { subject: string; before: string; link: { label: string; url: string }; after: string }

/** The same content as plain text and HTML. Loads no remote content, so opening it can't be tracked. */
const buildEmail = ({ link, ...parts }: Parts): Email => {
  const [subject, before, after] = [oneLine(parts.subject), oneLine(parts.before), oneLine(parts.after)]
  const markup = html`<p>${before}</p><p><a href="${link.url}">${link.label}</a></p><p>${link.url}</p><p>${after}</p>`
  return { subject, text: `${before}\n\n${link.label}:\n${link.url}\n\n${after}\n`, html: markupOf(markup) }
}

/** A security notice without a link, so that recipients don't learn to trust links in such emails. */
const buildNotice = (parts: { subject: string; text: string }): Email => {
  const [subject, text] = [oneLine(parts.subject), oneLine(parts.text)]
  return { subject, text: `${text}\n`, html: markupOf(html`<p>${text}</p>`) }
}

/** User-supplied names may contain line breaks, which must not start a header or a paragraph. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
