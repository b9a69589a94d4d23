import { partnerSignUpRequest } from '@tributary/contract'
import { openInvitation, signUpInvited } from '../../partners/operations/partner-invitations.ts'
import type { App, Dependencies } from '../context.ts'
import { check, readJson } from '../read-json.ts'
import { withCookies } from './sign-up.ts'

/** Sign-up of invited partners. Not an operation, because it sets the cookies of the session. */
export const invitedPartnerSignUp = (app: App, dependencies: Dependencies) => {
  const { db, limits, clock } = dependencies

  // The merchant gave this person the link, so the response may reveal that the address has an account.
  app.post('/api/public/partner-invitations/:invitationId/sign-up', async (c) => {
    limits.signIn(c.get('clientIp'))
    const id = c.req.param('invitationId')
    const invitation = await openInvitation(db, { id, at: clock() })
    const request = check(partnerSignUpRequest, await readJson(c))
    const { user, headers } = await signUpInvited(dependencies, { id, invitation, request })
    return withCookies(c, headers).json({ user })
  })
}
