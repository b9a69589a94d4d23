import { SIGN_IN_REMOVED } from '../../../audit/access-changes.ts'
import { recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { signInRemoved } from '../../../mail/program-emails.ts'
import { holdPayoutDestination } from '../../../partners/destination-holds.ts'
import { endInvitations, notifyPartner } from '../../../partners/operations/partner-access.ts'
import { removeSignIns } from '../../../partners/partner-users.ts'
import { contactsOf } from '../../../partners/partners.ts'
import type { App, Dependencies } from '../../context.ts'
import { requireProgram } from '../require-session.ts'
import { partnerIdInPath } from './partners.ts'

/** DELETE …/partners/:partnerId/sign-in: removes the partner's sign-ins and ends open invitations. */
export const partnerSignIn = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const path = '/api/programs/:programId/partners/:partnerId/sign-in'

  app.delete(path, requireProgram(dependencies, 'payout:manage'), async (c) => {
    const db = c.get('db')
    const program = c.get('program')
    const { id: programId } = program
    const partnerId = await partnerIdInPath(c, db)
    const key = { programId, partnerId }
    const { emails, addresses } = await inTransaction(db, async (tx) => {
      const emails = await removeSignIns(tx, key)
      const at = clock()
      const userId = c.get('user').id
      await endInvitations(tx, { ...key, userId, reason: 'sign-in removed', at })
      const contact = (await contactsOf(tx, { programId, ids: [partnerId] })).get(partnerId)
      const entry = { action: SIGN_IN_REMOVED, subject: `partner ${partnerId}`, before: { emails } }
      if (emails.length > 0) {
        await recordAudit(tx, { programId, userId, ...entry, at })
        await holdPayoutDestination(tx, { ...key, at })
      }
      return { emails, addresses: [...(contact?.email ? [contact.email] : []), ...emails] }
    })
    if (emails.length > 0) await notifyPartner({ ...dependencies, db }, { program, addresses, email: signInRemoved })
    return c.json({ data: { removed: emails.length } })
  })
}
