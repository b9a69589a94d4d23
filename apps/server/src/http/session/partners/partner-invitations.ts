import { invitePartnerRequest } from '@tributary/contract'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { mailedTo } from '../../../mail/mailer.ts'
import { partnerInvitation } from '../../../mail/program-emails.ts'
import { createPartnerInvitation } from '../../../partners/partner-invitations.ts'
import { hasPartnerUser } from '../../../partners/partner-users.ts'
import { contactsOf } from '../../../partners/partners.ts'
import { mailBrandOf } from '../../../programs/mail-brand.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { orNotFound } from '../../lists.ts'
import { check, readOptionalJson } from '../../read-json.ts'
import { hasPermission, requireProgram } from '../require-session.ts'
import { isSameAddress, requirePayoutManage } from './partner-email.ts'
import { moveOne, partnerIdInPath } from './partners.ts'

/** POST …/partners/:partnerId/invite: creates an invitation link to the partner portal. */
export const partnerInvitations = (app: App, dependencies: Dependencies) => {
  const { mailer } = dependencies

  app.post(
    '/api/programs/:programId/partners/:partnerId/invite',
    requireProgram(dependencies, 'partner:manage'),
    async (c) => {
      const db = c.get('db')
      const partnerId = await partnerIdInPath(c, db)
      const request = check(invitePartnerRequest, await readOptionalJson(c))
      // Opening the link is enough to become the partner. If it can be emailed, only members who manage payouts see it.
      const onlyMailed = mailer !== null && !(await hasPermission(c, db, 'payout:manage'))
      const { url, ...invited } = await invite(c, dependencies, { partnerId, ...request, onlyMailed })
      return c.json({ data: { ...(!onlyMailed && { url }), ...invited } }, 201)
    },
  )
}

type Invited = {
  partnerId: number
  /** Defaults to the partner's address. */
  email?: string | undefined
  groupId?: number | undefined
  /** The caller never shows the link. */
  onlyMailed: boolean
}

const invite = async (
  c: Call,
  dependencies: Dependencies,
  { partnerId, email: named, groupId, onlyMailed }: Invited,
) => {
  const { clock, portalUrl, mailer } = dependencies
  const { id: programId } = c.get('program')
  const at = clock()
  const invitation = await inTransaction(c.get('db'), async (tx) => {
    if (groupId !== undefined) await moveOne(c, tx, { partnerId, groupId, clock })
    const partner = (await contactsOf(tx, { programId, ids: [partnerId] })).get(partnerId)
    const email = named ?? partner?.email
    if (!email)
      throw new Refusal(
        'invalid_request',
        'email is missing. Send one, because this partner has no email address yet.',
        { field: 'email', inShort: 'no email address' },
      )
    if (!isSameAddress(email, partner?.email))
      await requirePayoutManage(c, tx, 'Inviting an address other than the partner’s')
    if (await hasPartnerUser(tx, { programId, partnerId }))
      await requirePayoutManage(c, tx, 'Inviting a partner who already has a sign-in')
    const created = await createPartnerInvitation(tx, { programId, partnerId, email, onlyMailed, at })
    const [ended] = created.ended
    const change = { before: ended ? { email: ended } : null, after: { email } }
    const entry = { action: 'partner invited', subject: `partner ${partnerId}`, ...change }
    await recordAudit(tx, { programId, userId: c.get('user').id, ...entry, at })
    return { ...created, email, partnerName: partner?.name ?? '' }
  })
  const { id, email, expiresAt, partnerName } = invitation
  const url = `${portalUrl}/portal/invite/${id}`
  const sender = mailer ? await mailBrandOf(c.get('db'), c.get('program')) : { programName: c.get('program').name }
  const mailed = await mailedTo(mailer, email, () => partnerInvitation({ ...sender, partnerName, url, expiresAt }))
  return { url, email, expiresAt, ...mailed }
}

/** For a bulk action: only by email, and only to those who cannot sign in yet. */
export const inviteByMail = async (c: Call, dependencies: Dependencies, partnerId: number) => {
  const db = c.get('db')
  const key = { programId: c.get('program').id, partnerId }
  const partner = orNotFound(
    (await contactsOf(db, { programId: key.programId, ids: [partnerId] })).get(partnerId),
    'partner',
  )
  if (partner.archived) throw new Refusal('conflict', 'This partner is archived.', { inShort: 'archived' })
  if (await hasPartnerUser(db, key))
    throw new Refusal('conflict', 'This partner already has a sign-in.', { inShort: 'already have a sign-in' })
  const { mailed } = await invite(c, dependencies, { partnerId, onlyMailed: true })
  if (!mailed) throw new Refusal('conflict', 'The email was not sent.', { inShort: 'the email could not be sent' })
}
