import type { PartnerStatus } from '@tributary/contract'
import { BULK_PARTNERS, PARTNER_IDS } from '@tributary/contract/declared'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { findPartnerIds } from '../../events/overview/figures.ts'
import { announceApproved } from '../../money/commissions/announce-payable.ts'
import { requirePayoutManage } from '../../platform/access.ts'
import { ID_LIMIT, refuseTooMany, runBulk } from '../../platform/bulk.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { changePartner } from '../partners.ts'
import { type Invitations, inviteByMail } from './invite-partner.ts'
import type { AccessChange } from './partner-access.ts'

export const partnerIds = runs(
  PARTNER_IDS,
  {},
  {
    ids: async ({ db, program, query }) =>
      refuseTooMany(await findPartnerIds(db, { ...query, programId: program.id, limit: ID_LIMIT }), 'partners'),
  },
)

const NO_MAIL =
  'Several partners can only be invited by email. Set SMTP_URL, or copy an invitation link on the page of each partner.'

const STATUSES = {
  suspend: { from: ['approved'], to: 'suspended' },
  reinstate: { from: ['suspended', 'rejected'], to: 'approved' },
} as const

/** Decisions about applications and moves to a group have operations of their own. */
export const bulkPartners = (invitations: Invitations) =>
  runs(
    BULK_PARTNERS,
    {},
    {
      change: {
        ownTransactions: async ({ db, program, actor, clock, audit, body: { ids, action } }) => {
          const member = { user: actor, workspaceId: program.workspaceId }
          // Reinstating a partner puts their earnings back into payouts.
          if (action === 'reinstate') await requirePayoutManage(db, member, 'Reinstating partners')
          if (action === 'invite' && !invitations.mailer) throw new Refusal('conflict', NO_MAIL)
          return runBulk(ids, (partnerId) => {
            const access = { program, actor, partnerId, clock, audit }
            return action === 'invite'
              ? inviteByMail(db, invitations, access)
              : inTransaction(db, (tx) => setStatus(tx, access, STATUSES[action]))
          })
        },
      },
    },
  )

type Change = { from: readonly string[]; to: PartnerStatus }

const setStatus = async (tx: Tx, { program, partnerId: id, clock, audit }: AccessChange, { from, to }: Change) => {
  const programId = program.id
  const at = clock()
  const { before } = orNotFound(await changePartner(tx, { programId, id, status: to, at }), 'partner')
  // Rolls the change back. The status is known only once the row is locked.
  if (!from.includes(before.status))
    throw new Refusal('conflict', `This partner is ${before.status}.`, {
      inShort: before.status === to ? `already ${to}` : before.status,
    })
  const change = { before: { status: before.status }, after: { status: to } }
  await audit(tx, { action: 'partner changed', subject: `partner ${id}`, ...change, at })
  if (to === 'approved') await announceApproved(tx, { programId, partnerIds: [id], at })
}
