import { partnerSignUpRequest } from '@tributary/contract'
import { asRefusal } from '../../accounts/as-refusal.ts'
import type { SignUp } from '../../accounts/sign-ups.ts'
import { signInAdded } from '../../mail/program-emails.ts'
import { requireAcceptance } from '../../partners/agreement-acceptances.ts'
import { acceptAgreement } from '../../partners/operations/joining.ts'
import { acceptAsPartner, notifyPartner, releaseClaimed } from '../../partners/operations/partner-access.ts'
import { openInvitation } from '../../partners/operations/partner-invitations.ts'
import { findAgreement } from '../../programs/agreements.ts'
import type { App, Dependencies } from '../context.ts'
import { check, readJson } from '../read-json.ts'
import { withCookies } from '../session/people/sign-up.ts'

/** Sign-up of invited partners, even while sign-up is closed. */
export const partnerInvitationLinks = (app: App, dependencies: Dependencies) => {
  const { db, signUp, limits, clock } = dependencies

  // The merchant gave this person the link, so the response may reveal that the address has an account.
  app.post('/api/public/partner-invitations/:invitationId/sign-up', async (c) => {
    limits.signIn(c.get('clientIp'))
    const id = c.req.param('invitationId')
    const { programId, partnerId, programName, workspaceId, email, onlyMailed } = await openInvitation(db, {
      id,
      at: clock(),
    })
    const { agreementVersion, ...person } = check(partnerSignUpRequest, await readJson(c))
    const account = { ...person, email }
    const agreement = await findAgreement(db, programId)
    requireAcceptance(agreement, agreementVersion)
    let addresses: string[] = []
    const also: SignUp['also'] = async (tx, { id: userId }) => {
      await acceptAgreement(tx, { programId, partnerId, userId, agreement, at: clock() })
      addresses = await acceptAsPartner(tx, { id, programId, partnerId, userId, email, at: clock() })
    }
    const release = releaseClaimed(dependencies, { workspaceId, onlyMailed })
    const { response, headers } = await asRefusal(
      signUp({ account, asPartner: true, also, release, isVerified: onlyMailed }),
    )
    const program = { id: programId, name: programName }
    await notifyPartner(dependencies, { program, addresses, email: (sender) => signInAdded({ ...sender, email }) })
    const { id: userId, name, createdAt } = response.user
    return withCookies(c, headers).json({ user: { id: userId, name, email, createdAt } })
  })
}
