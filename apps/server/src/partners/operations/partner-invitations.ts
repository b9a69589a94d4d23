import { PARTNER_INVITATIONS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { runs } from '../../platform/runs.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { brandOf } from '../../programs/branding.ts'
import { Refusal } from '../../refusal.ts'
import { findPartnerInvitation } from '../partner-invitations.ts'

/** The ID in the link is the only credential. */
export const openInvitation = async (db: Database, { id, at }: { id: string; at: Date }) => {
  const invitation = await findPartnerInvitation(db, { id, at })
  if (!invitation)
    throw new Refusal('not_found', 'This invitation has expired, was used, or does not exist. Ask for a new one.')
  return invitation
}

/** What an invited person sees before they have an account. */
export const partnerInvitations = runs(
  PARTNER_INVITATIONS,
  { invitationId: { what: 'invitation', find: openInvitation } },
  {
    get: async ({ db, invitation: { programId, programName, partnerName, email, expiresAt } }) => {
      const shown = await brandOf(db, { id: programId, name: programName })
      return { ...shown, agreement: await findAgreement(db, programId), partnerName, email, expiresAt }
    },
  },
)
