import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { type Mailer, mailedTo } from '../../mail/mailer.ts'
import { partnerInvitation } from '../../mail/program-emails.ts'
import { requirePayoutManage } from '../../platform/access.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { mailBrandOf } from '../../programs/mail-brand.ts'
import { Refusal } from '../../refusal.ts'
import { createPartnerInvitation } from '../partner-invitations.ts'
import { hasPartnerUser } from '../partner-users.ts'
import { contactsOf } from '../partners.ts'
import { type AccessChange, isSameAddress } from './partner-access.ts'
import { moveToGroup } from './partners.ts'

/** What invitations are sent with. */
export type Invitations = { mailer: Mailer | null; portalUrl: string }

type Request = {
  /** Defaults to the partner's address. */
  email?: string | undefined
  groupId?: number | undefined
  /** The caller never shows the link. */
  onlyMailed: boolean
}

/** Creates an invitation link to the partner portal, and emails it if there is a mail server. */
export const invitePartner = async (
  db: Database,
  { mailer, portalUrl }: Invitations,
  access: AccessChange,
  request: Request,
) => {
  const { id, email, expiresAt, partnerName } = await inTransaction(db, (tx) => createInvitation(tx, access, request))
  const url = `${portalUrl}/portal/invite/${id}`
  const { program } = access
  const sender = mailer ? await mailBrandOf(db, program) : { programName: program.name }
  const mailed = await mailedTo(mailer, email, () => partnerInvitation({ ...sender, partnerName, url, expiresAt }))
  return { url, email, expiresAt, ...mailed }
}

const createInvitation = async (tx: Tx, access: AccessChange, { email: named, groupId, onlyMailed }: Request) => {
  const { program, actor, partnerId, clock, audit } = access
  const { id: programId, workspaceId } = program
  const member = { user: actor, workspaceId }
  const at = clock()
  if (groupId !== undefined) await moveToGroup(tx, { ...access, groupId })
  const partner = (await contactsOf(tx, { programId, ids: [partnerId] })).get(partnerId)
  const email = named ?? partner?.email
  if (!email)
    throw new Refusal('invalid_request', 'email is missing. Send one, because this partner has no email address yet.', {
      field: 'email',
      inShort: 'no email address',
    })
  if (!isSameAddress(email, partner?.email))
    await requirePayoutManage(tx, member, 'Inviting an address other than the partner’s')
  if (await hasPartnerUser(tx, { programId, partnerId }))
    await requirePayoutManage(tx, member, 'Inviting a partner who already has a sign-in')
  const created = await createPartnerInvitation(tx, { programId, partnerId, email, onlyMailed, at })
  const [ended] = created.ended
  const change = { before: ended ? { email: ended } : null, after: { email } }
  await audit(tx, { action: 'partner invited', subject: `partner ${partnerId}`, ...change, at })
  return { ...created, email, partnerName: partner?.name ?? '' }
}

/** For a bulk action: only by email, and only to those who cannot sign in yet. */
export const inviteByMail = async (db: Database, invitations: Invitations, access: AccessChange) => {
  const { program, partnerId } = access
  const key = { programId: program.id, partnerId }
  const contacts = await contactsOf(db, { programId: program.id, ids: [partnerId] })
  if (orNotFound(contacts.get(partnerId), 'partner').archived)
    throw new Refusal('conflict', 'This partner is archived.', { inShort: 'archived' })
  if (await hasPartnerUser(db, key))
    throw new Refusal('conflict', 'This partner already has a sign-in.', { inShort: 'already have a sign-in' })
  const { mailed } = await invitePartner(db, invitations, access, { onlyMailed: true })
  if (!mailed) throw new Refusal('conflict', 'The email was not sent.', { inShort: 'the email could not be sent' })
}
