import { formatDate } from '../format-time.ts'
import { type Html, html, markupOf } from '../html.ts'

type Attachment = { cid: string; filename: string; content: Buffer; contentType: string }
export type Email = {
  subject: string
  text: string
  html: string
  attachments?: Attachment[]
  messageId?: string
  headers?: Record<string, string>
}

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
    after: `This link is personal and expires on ${formatDate(expiresAt, 'UTC')}. ${IGNORE}`,
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

export const emailApproval = ({ to, url }: { to: string; url: string }) =>
  buildEmail({
    subject: 'Approve the new email address of your Tributary account',
    before: `We received a request to change the email address of your Tributary account to ${to}.`,
    link: { label: 'Approve the change', url },
    after:
      'The link works once and expires in 1 hour. Then we email the new address a link to confirm it. If you didn’t request this, ignore this email and change your password.',
  })

export const emailConfirmation = ({ from, url }: { from: string; url: string }) =>
  buildEmail({
    subject: 'Confirm your email address',
    before: `The Tributary account of ${from} is changing its email address to this one.`,
    link: { label: 'Confirm this address', url },
    after: 'The link works once and expires in 1 hour. If you didn’t request this, ignore this email.',
  })

/** To the owner of the address, who may be the person who asked for it. */
export const emailTaken = ({ from }: { from: string }) =>
  buildNotice({
    subject: 'This email address already has a Tributary account',
    text: `The Tributary account of ${from} asked to change its email address to this one, but this address already has an account. Nothing has changed. If you didn’t request this, ignore this email.`,
  })

export const emailChanged = ({ to }: { to: string }) =>
  buildNotice({
    subject: 'The email address of your Tributary account was changed',
    text: `Your Tributary account now has the email address ${to}. You no longer sign in with this one. If this wasn’t you, ask the person who runs the service.`,
  })

export const twoFactorTurnedOff = () =>
  buildNotice({
    subject: 'Two-factor sign-in was turned off',
    text: 'Two-factor sign-in was turned off for your Tributary account. If this wasn’t you, change your password now.',
  })

export const recoveryCodeUsed = ({ left }: { left: number }) =>
  buildNotice({
    subject: 'A recovery code was used to sign in',
    text: `Someone signed in to your Tributary account with a recovery code. Recovery codes left: ${left}. If this wasn’t you, change your password and replace your recovery codes now.`,
  })

export const IGNORE = 'If you didn’t expect this invitation, ignore this email.'

type Parts = {
  subject: string
  before: string
  link: { label: string; url: string }
  after: string
  header?: Html
  linkStyle?: string
  attachments?: Attachment[]
}

/** The same content as plain text and HTML. Loads no remote content, so opening it can't be tracked. */
export const buildEmail = ({ link, header, linkStyle, attachments, ...parts }: Parts): Email => {
  const [subject, before, after] = [oneLine(parts.subject), oneLine(parts.before), oneLine(parts.after)]
  const anchor = linkStyle
    ? html`<a href="${link.url}" style="${linkStyle}">${link.label}</a>`
    : html`<a href="${link.url}">${link.label}</a>`
  const markup = html`${header}<p>${before}</p><p>${anchor}</p><p>${link.url}</p><p>${after}</p>`
  const text = `${before}\n\n${link.label}:\n${link.url}\n\n${after}\n`
  return { subject, text, html: markupOf(markup), ...(attachments && { attachments }) }
}

/** A security notice without a link, so that recipients don't learn to trust links in such emails. */
export const buildNotice = (parts: { subject: string; text: string }): Email => {
  const [subject, text] = [oneLine(parts.subject), oneLine(parts.text)]
  return { subject, text: `${text}\n`, html: markupOf(html`<p>${text}</p>`) }
}

/** User-supplied names may contain line breaks, which must not start a header or a paragraph. */
export const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
