import { partnerSignUpRequest } from '@tributary/contract'
import type { SignUp } from '../../accounts/sign-ups.ts'
import { signInAdded } from '../../mail/emails.ts'
import { findPartnerInvitation } from '../../partners/partner-invitations.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { acceptAsPartner, notifyPartner, releaseClaimed } from '../partner-access.ts'
import { check, readJson } from '../read-json.ts'
import { asRefusal } from '../session/people/as-refusal.ts'
import { withCookies } from '../session/people/sign-up.ts'

/** Sign-up of invited partners, even while sign-up is closed. */
export const partnerInvitationLinks = (app: App, dependencies: Dependencies) => {
  const { db, signUp, limits, clock, mailer } = dependencies

  const open = async (id: string) => {
    const invitation = await findPartnerInvitation(db, { id, at: clock() })
    if (!invitation)
      throw new Refusal('not_found', 'This invitation has expired, was used, or does not exist. Ask for a new one.')
    return invitation
  }

  app.get('/api/public/partner-invitations/:invitationId', async (c) => {
    limits.visitor(c.get('clientIp'))
    const { programName, partnerName, email, expiresAt } = await open(c.req.param('invitationId'))
    return c.json({ data: { programName, partnerName, email, expiresAt } })
  })

  // The merchant gave this person the link, so the response may reveal that the address has an account.
  app.post('/api/public/partner-invitations/:invitationId/sign-up', async (c) => {
    limits.signIn(c.get('clientIp'))
    const id = c.req.param('invitationId')
    const { programId, partnerId, programName, workspaceId, email, onlyMailed } = await open(id)
    const account = { ...check(partnerSignUpRequest, await readJson(c)), email }
    let addresses: string[] = []
    const also: SignUp['also'] = async (tx, { id: userId }) => {
      addresses = await acceptAsPartner(tx, { id, programId, partnerId, userId, email, at: clock() })
    }
    const release = releaseClaimed(dependencies, { workspaceId, onlyMailed })
    const { response, headers } = await asRefusal(
      signUp({ account, asPartner: true, also, release, isVerified: onlyMailed }),
    )
    await notifyPartner(mailer, addresses, () => signInAdded({ programName, email }))
    const { id: userId, name, createdAt } = response.user
    return withCookies(c, headers).json({ user: { id: userId, name, email, createdAt } })
  })
}
