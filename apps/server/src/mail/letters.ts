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

/** People name things: a name with line breaks must begin neither a header nor a paragraph of its own. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
