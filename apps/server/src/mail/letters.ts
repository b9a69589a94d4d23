import { html, markupOf } from '../html.ts'

export type Letter = { subject: string; text: string; html: string }

type Invitation = { url: string; expiresAt: Date }

export const memberInvitation = ({
  workspaceName,
  inviterName,
  role,
  url,
  expiresAt,
}: Invitation & { workspaceName: string; inviterName: string; role: string }) =>
  letterOf({
    subject: `Join ${workspaceName} on Tributary`,
    before: `${inviterName} invites you to the workspace “${workspaceName}” as ${role}.`,
    link: { label: 'Accept the invitation', url },
    after: `The link is for you alone and works until ${dayOf(expiresAt)}. ${IGNORE}`,
  })

export const partnerInvitation = ({
  programName,
  partnerName,
  url,
  expiresAt,
}: Invitation & { programName: string; partnerName: string }) =>
  letterOf({
    subject: `Join the partners of ${programName}`,
    before: `Hello ${partnerName}, you are invited to the partner portal of “${programName}”. There you see your links, what you have earned, and your payouts.`,
    link: { label: 'Accept the invitation', url },
    after: `The link is for you alone and works until ${dayOf(expiresAt)}. ${IGNORE}`,
  })

const UNEXPECTED = 'If you did not expect this, contact the program right away: it affects who receives your payouts.'

export const emailChanged = ({ programName, email }: { programName: string; email: string | null }) =>
  noticeOf({
    subject: `Your e-mail address in ${programName} was changed`,
    text: `Your e-mail address as a partner of “${programName}” was ${email ? `changed to ${email}` : 'removed'}. ${UNEXPECTED}`,
  })

export const signInAdded = ({ programName, email }: { programName: string; email: string }) =>
  noticeOf({
    subject: `A new sign-in was added to your account in ${programName}`,
    text: `${email} can now sign in to the partner portal of “${programName}” as you. ${UNEXPECTED}`,
  })

export const signInRemoved = ({ programName }: { programName: string }) =>
  noticeOf({
    subject: `Your sign-in was removed from ${programName}`,
    text: `You can no longer sign in to the partner portal of “${programName}”. ${UNEXPECTED}`,
  })

export const passwordReset = ({ url }: { url: string }) =>
  letterOf({
    subject: 'Choose a new password for Tributary',
    before: 'Somebody, probably you, has asked for a new password for this address.',
    link: { label: 'Choose a new password', url },
    after:
      'The link works once, within an hour. If it was not you, ignore this mail: the password stays as it is, and whoever asked does not learn that you have an account.',
  })

const IGNORE = 'If you do not know what this is about, ignore this mail: nothing happens without you.'

const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

type Parts = { subject: string; before: string; link: { label: string; url: string }; after: string }

/** The same words twice, for who reads plain text and who reads HTML. Nothing in it is fetched, so nobody is followed. */
const letterOf = ({ link, ...parts }: Parts): Letter => {
  const [subject, before, after] = [oneLine(parts.subject), oneLine(parts.before), oneLine(parts.after)]
  const markup = html`<p>${before}</p><p><a href="${link.url}">${link.label}</a></p><p>${link.url}</p><p>${after}</p>`
  return { subject, text: `${before}\n\n${link.label}:\n${link.url}\n\n${after}\n`, html: markupOf(markup) }
}

/** A letter that only informs: it has no link, so nobody learns to follow links in such mail. */
const noticeOf = (parts: { subject: string; text: string }): Letter => {
  const [subject, text] = [oneLine(parts.subject), oneLine(parts.text)]
  return { subject, text: `${text}\n`, html: markupOf(html`<p>${text}</p>`) }
}

/** People name things: a name with line breaks must begin neither a header nor a paragraph of its own. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
