import { signedIn } from '../accounts/accounts.ts'
import { listed } from '../openapi/declaration.ts'
import { bodyErrors, type Operation } from '../openapi/operation.ts'
import { partnerSignUpRequest } from './portal.ts'
import { PARTNER_INVITATIONS, PORTAL_ACCESS } from './portal-access-operations.ts'
import { PORTAL_LINKS } from './portal-link-operations.ts'

/** Everything here is limited to the partner's own data, and never includes customer data. */
export const PORTAL_OPERATIONS: Operation[] = [
  ...listed(PORTAL_ACCESS),
  ...listed(PARTNER_INVITATIONS),
  {
    method: 'post',
    path: '/api/public/partner-invitations/{invitationId}/sign-up',
    caller: 'public',
    summary: 'Sign up as an invited partner',
    description: 'Creates an account for the invited address, accepts the invitation and sets the session cookie.',
    request: partnerSignUpRequest,
    answers: [signedIn],
    refusals: [...bodyErrors, 'not_found', 'conflict', 'rate_limited'],
  },
  ...listed(PORTAL_LINKS),
]
