import { invitePartnerRequest } from '@tributary/contract'
import { note } from '../../audit/audit-log.ts'
import { inTransaction } from '../../database/transaction.ts'
import { createPartnerInvitation } from '../../partners/partner-invitations.ts'
import { emailOfPartner } from '../../partners/partners.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { check, readOptionalJson } from '../read-json.ts'
import { partnerIn } from './partners.ts'
import { requireProgram } from './require-session.ts'

/** POST …/partners/:partnerId/invite: a link to hand over, by which the partner gets an account. */
export const partnerInvitations = (app: App, dependencies: Dependencies) => {
  const { db, clock, baseUrl } = dependencies

  app.post(
    '/api/programs/:programId/partners/:partnerId/invite',
    requireProgram(dependencies, 'partner:manage'),
    async (c) => {
      const programId = c.get('program').id
      const partnerId = await partnerIn(c, db)
      const request = check(invitePartnerRequest, await readOptionalJson(c))
      const at = clock()
      const invitation = await inTransaction(db, async (tx) => {
        const email = request.email ?? (await emailOfPartner(tx, { programId, id: partnerId }))
        if (!email)
          throw new Refusal('invalid_request', 'email is missing: this partner has no e-mail address yet.', {
            field: 'email',
          })
        const created = await createPartnerInvitation(tx, { programId, partnerId, email, at })
        const entry = { action: 'partner invited', subject: `partner ${partnerId}`, after: { email } }
        await note(tx, { programId, userId: c.get('user').id, ...entry, at })
        return { ...created, email }
      })
      const { id, email, expiresAt } = invitation
      return c.json({ data: { url: `${baseUrl}/portal/invite/${id}`, email, expiresAt } }, 201)
    },
  )
}
