import type { partnerSignUpRequest } from '@tributary/contract'
import { PARTNER_INVITATIONS } from '@tributary/contract/declared'
import type { z } from 'zod'
import { asRefusal } from '../../accounts/as-refusal.ts'
import type { SignUps } from '../../accounts/sign-ups.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { signInAdded } from '../../mail/program-emails.ts'
import { runs } from '../../platform/runs.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { brandOf } from '../../programs/branding.ts'
import { Refusal } from '../../refusal.ts'
import { requireAcceptance } from '../agreement-acceptances.ts'
import { findPartnerInvitation } from '../partner-invitations.ts'
import { acceptAgreement } from './accept-agreement.ts'
import { acceptAsPartner, notifyPartner, releaseClaimed } from './partner-access.ts'

/** The ID in the link is the only credential. */
export const openInvitation = async (db: Database | Tx, { id, at }: { id: string; at: Date }) => {
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

type Services = { db: Database; clock: Clock; mailer: Mailer | null; signUp: SignUps }
type Invited = {
  /** From the link. */
  id: string
  invitation: Awaited<ReturnType<typeof openInvitation>>
  request: z.output<typeof partnerSignUpRequest>
}

/** Creates the account and accepts the invitation in one transaction, even while sign-up is closed. `headers` sign the person in. */
export const signUpInvited = async ({ db, clock, mailer, signUp }: Services, { id, invitation, request }: Invited) => {
  const { programId, partnerId, programName, workspaceId, email, onlyMailed } = invitation
  const { agreementVersion, ...person } = request
  const agreement = await findAgreement(db, programId)
  requireAcceptance(agreement, agreementVersion)
  let addresses: string[] = []
  const accept = async (tx: Tx, { id: userId }: { id: string }) => {
    await acceptAgreement(tx, { programId, partnerId, userId, agreement, at: clock() })
    addresses = await acceptAsPartner(tx, { id, programId, partnerId, userId, email, at: clock() })
  }
  const release = releaseClaimed({ clock, mailer }, { workspaceId, onlyMailed })
  const account = { ...person, email }
  const { response, headers } = await asRefusal(
    signUp({ account, asPartner: true, complete: accept, release, isVerified: onlyMailed }),
  )
  const program = { id: programId, name: programName }
  await notifyPartner({ db, mailer }, { program, addresses, email: (sender) => signInAdded({ ...sender, email }) })
  const { id: userId, name, createdAt } = response.user
  return { user: { id: userId, name, email, createdAt }, headers }
}
