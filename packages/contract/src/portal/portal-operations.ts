import { signedIn } from '../accounts/accounts.ts'
import { bodyErrors, type Operation } from '../openapi/operation.ts'
import { partnerSignUpRequest } from './portal.ts'

/** The sign-in library creates the account. */
export const INVITED_SIGN_UP: Operation[] = [
  {
    method: 'post',
    path: '/api/public/partner-invitations/{invitationId}/sign-up',
    caller: 'public',
    summary: 'Sign up as an invited partner',
    description: 'Creates an account for the invited address, accepts the invitation and sets the session cookie.',
    request: partnerSignUpRequest,
    example: {
      name: 'Maya Lindqvist',
      password: 'at least 8 characters',
    },
    answers: [signedIn],
    refusals: [...bodyErrors, 'not_found', 'conflict', 'rate_limited'],
  },
]
