import { invitePartnerRequest } from '@tributary/contract'
import { note } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { partnerInvitation } from '../../../mail/emails.ts'
import { mailedTo } from '../../../mail/mailer.ts'
import { createPartnerInvitation } from '../../../partners/partner-invitations.ts'
import { hasPartnerUser } from '../../../partners/partner-users.ts'
import { contactsOf } from '../../../partners/partners.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Dependencies } from '../../context.ts'
import { check, readOptionalJson } from '../../read-json.ts'
import { mayIn, requireProgram } from '../require-session.ts'
import { isSameAddress, refuseWithoutPayouts } from './partner-email.ts'
import { partnerIn } from './partners.ts'

/** POST …/partners/:partnerId/invite: a link to hand over, by which the partner gets an account. */
export const partnerInvitations = (app: App, dependencies: Dependencies) => {
  const { db, clock, baseUrl, mailer } = dependencies

  app.post(
    '/api/programs/:programId/partners/:partnerId/invite',
    requireProgram(dependencies, 'partner:manage'),
    async (c) => {
      const { id: programId, name: programName } = c.get('program')
      const partnerId = await partnerIn(c, db)
      const request = check(invitePartnerRequest, await readOptionalJson(c))
      const at = clock()
      // Whoever opens the link becomes the partner. Where it can be mailed, only those who pay partners get a copy.
      const onlyMailed = mailer !== null && !(await mayIn(c, db, 'payout:manage'))
      const invitation = await inTransaction(db, async (tx) => {
        const partner = (await contactsOf(tx, { programId, ids: [partnerId] })).get(partnerId)
        const email = request.email ?? partner?.email
        if (!email)
          throw new Refusal('invalid_request', 'email is missing: this partner has no e-mail address yet.', {
            field: 'email',
          })
        if (!isSameAddress(email, partner?.email))
          await refuseWithoutPayouts(c, tx, 'Inviting an address other than the partner’s own')
        if (await hasPartnerUser(tx, { programId, partnerId }))
          await refuseWithoutPayouts(c, tx, 'Inviting a partner who already has a sign-in')
        const created = await createPartnerInvitation(tx, { programId, partnerId, email, onlyMailed, at })
        const [ended] = created.ended
        const change = { before: ended ? { email: ended } : null, after: { email } }
        const entry = { action: 'partner invited', subject: `partner ${partnerId}`, ...change }
        await note(tx, { programId, userId: c.get('user').id, ...entry, at })
        return { ...created, email, partnerName: partner?.name ?? '' }
      })
      const { id, email, expiresAt, partnerName } = invitation
      const url = `${baseUrl}/portal/invite/${id}`
      const mailed = await mailedTo(mailer, email, () =>
        partnerInvitation({ programName, partnerName, url, expiresAt }),
      )
      return c.json({ data: { ...(!onlyMailed && { url }), email, expiresAt, ...mailed } }, 201)
    },
  )
}
