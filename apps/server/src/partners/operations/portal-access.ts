import { PORTAL_ACCESS } from '@tributary/contract/declared'
import { endView, startView } from '../../accounts/partner-views.ts'
import { roleIn } from '../../accounts/workspaces.ts'
import { SIGN_IN_REMOVED } from '../../audit/access-changes.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { signInRemoved } from '../../mail/program-emails.ts'
import { hasPermission, requireSecondFactor } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { holdPayoutDestination } from '../destination-holds.ts'
import { removeSignIns } from '../partner-users.ts'
import { contactsOf } from '../partners.ts'
import { type Invitations, invitePartner } from './invite-partner.ts'
import { type AccessChange, endInvitations, notifyPartner } from './partner-access.ts'
import { PARTNER_THINGS } from './partners.ts'

/** What members decide about a partner's access to the portal. */
export const portalAccess = ({ mailer, portalUrl }: Invitations) =>
  runs(PORTAL_ACCESS, PARTNER_THINGS, {
    invite: {
      ownTransactions: async ({ db, program, actor, params: { partnerId }, clock, audit, body }) => {
        const right = { user: actor, workspaceId: program.workspaceId, permission: 'payout:manage' as const }
        // Opening the link is enough to become the partner. If it can be emailed, only members who manage payouts see it.
        const onlyMailed = mailer !== null && !(await hasPermission(db, right))
        const access = { program, actor, partnerId, clock, audit }
        const invited = await invitePartner(db, { mailer, portalUrl }, access, { ...body, onlyMailed })
        const { url, ...withoutLink } = invited
        return onlyMailed ? withoutLink : invited
      },
    },

    removeSignIns: {
      ownTransactions: async ({ db, program, actor, params: { partnerId }, clock, audit }) => {
        const access = { program, actor, partnerId, clock, audit }
        const { emails, addresses } = await inTransaction(db, (tx) => removeAll(tx, access))
        if (emails.length > 0) await notifyPartner({ db, mailer }, { program, addresses, email: signInRemoved })
        return { removed: emails.length }
      },
    },

    // http/operations/access.ts applies the view.
    startView: {
      // The portal shows statements and legal details, which the dashboard hides without the second factor.
      allow: async (input) => {
        await requireOwner(input)
        await requireSecondFactor(input.db, { user: input.actor, workspaceId: input.program.workspaceId })
      },
      run: async ({ tx, program, actor: { sessionId }, params: { partnerId }, clock, audit }) => {
        const programId = program.id
        const at = clock()
        await audit(tx, { action: 'portal viewed as partner', subject: `partner ${partnerId}`, at })
        return { programId, partnerId, endsAt: await startView(tx, { sessionId, programId, partnerId, at }) }
      },
    },

    endView: {
      allow: requireOwner,
      run: async ({ tx, program, actor: { sessionId }, params: { partnerId } }) => {
        await endView(tx, { sessionId, programId: program.id, partnerId })
        return { ended: true as const }
      },
    },
  })

const removeAll = async (tx: Tx, access: AccessChange) => {
  const { program, partnerId, clock, audit } = access
  const key = { programId: program.id, partnerId }
  const emails = await removeSignIns(tx, key)
  const at = clock()
  await endInvitations(tx, access, { reason: 'sign-in removed', at })
  const contact = (await contactsOf(tx, { programId: program.id, ids: [partnerId] })).get(partnerId)
  if (emails.length > 0) {
    await audit(tx, { action: SIGN_IN_REMOVED, subject: `partner ${partnerId}`, before: { emails }, at })
    await holdPayoutDestination(tx, { ...key, at })
  }
  return { emails, addresses: [...(contact?.email ? [contact.email] : []), ...emails] }
}

const requireOwner = async ({ db, program, actor }: { db: Database; program: Program; actor: Member }) => {
  if ((await roleIn(db, { userId: actor.id, workspaceId: program.workspaceId })) !== 'owner')
    throw new Refusal('forbidden', 'Only owners can view the portal as a partner. Ask an owner of the workspace.')
}
