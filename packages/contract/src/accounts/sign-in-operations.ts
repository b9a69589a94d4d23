import { z } from 'zod'
import { answerOf } from '../lists.ts'
import { bodyErrors, type Operation } from '../openapi/operation.ts'
import { signedIn } from './accounts.ts'
import {
  changeTwoFactorRequest,
  confirmLinkRequest,
  confirmTwoFactorRequest,
  enableTwoFactorRequest,
  newRecoveryCodes,
  requestLinkRequest,
  secondFactorNeeded,
  signOnStarted,
  startSignOnRequest,
  twoFactorSecret,
  twoFactorState,
  verifySecondFactorRequest,
} from './sign-in.ts'

/** Two-factor sign-in, and sign-in by email link or identity provider. */
export const SIGN_IN_OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: '/api/auth/two-factor/verify',
    caller: 'public',
    summary: 'Sign in with a second factor',
    description:
      'Completes a sign-in that answered `twoFactorRequired`, with the code from an authenticator app or a recovery code. Each code works once. After 10 wrong codes, the account accepts none for 15 minutes.',
    request: verifySecondFactorRequest,
    example: { code: '123456' },
    answers: [signedIn],
    refusals: [...bodyErrors, 'unauthenticated', 'invalid_credentials', 'conflict', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/api/auth/two-factor',
    caller: 'session',
    summary: 'Get your two-factor settings',
    description: 'Returns whether two-factor sign-in is on and how many recovery codes are left.',
    answers: [answerOf(twoFactorState)],
    refusals: ['unauthenticated'],
  },
  {
    method: 'post',
    path: '/api/auth/two-factor/enable',
    caller: 'session',
    summary: 'Start two-factor enrollment',
    description:
      'Returns a new secret and recovery codes. Nothing changes until the first code is confirmed. 409 if two-factor sign-in is already on.',
    request: enableTwoFactorRequest,
    example: { password: 'at least 8 characters' },
    answers: [answerOf(twoFactorSecret)],
    refusals: [...bodyErrors, 'unauthenticated', 'invalid_credentials', 'conflict', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/two-factor/confirm',
    caller: 'session',
    summary: 'Turn on two-factor sign-in',
    description: 'Confirms the first code from the authenticator app. Signs out all other sessions.',
    request: confirmTwoFactorRequest,
    example: { code: '123456' },
    answers: [signedIn],
    refusals: [...bodyErrors, 'unauthenticated', 'invalid_credentials', 'conflict', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/two-factor/recovery-codes',
    caller: 'session',
    summary: 'Replace your recovery codes',
    description: 'Returns new recovery codes. The old ones stop working. Needs your password and a code.',
    request: changeTwoFactorRequest,
    example: { password: 'at least 8 characters', code: '123456' },
    answers: [answerOf(newRecoveryCodes)],
    refusals: [...bodyErrors, 'unauthenticated', 'invalid_credentials', 'conflict', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/two-factor/disable',
    caller: 'session',
    summary: 'Turn off two-factor sign-in',
    description: 'Needs your password and a code from the authenticator app.',
    request: changeTwoFactorRequest,
    example: { password: 'at least 8 characters', code: '123456' },
    answers: [z.object({ status: z.boolean() })],
    refusals: [...bodyErrors, 'unauthenticated', 'invalid_credentials', 'conflict', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/sign-in/link',
    caller: 'public',
    summary: 'Request a sign-in link',
    description:
      'Emails a link that signs in once within 10 minutes. The response is the same whether or not the address has an account. Answers 404 if the instance has no mail server (`SMTP_URL`).',
    request: requestLinkRequest,
    example: { email: 'ada@example.com' },
    answers: [z.object({ status: z.literal(true) })],
    refusals: [...bodyErrors, 'not_found', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/sign-in/link/confirm',
    caller: 'public',
    summary: 'Sign in with a link',
    description:
      'Signs in with the token from the emailed link. If the account has two-factor sign-in, a code is still needed. If the address was never confirmed and the account belongs to no workspace, its password and sessions end, because someone else may have created it.',
    request: confirmLinkRequest,
    example: { token: 'from the mail' },
    answers: [signedIn, secondFactorNeeded],
    refusals: [...bodyErrors, 'not_found', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/sign-in/oidc',
    caller: 'public',
    summary: 'Sign in with the identity provider',
    description:
      'Returns the address of the identity provider to open. Answers 404 if the instance has none (`OIDC_ISSUER`).',
    request: startSignOnRequest,
    example: { next: '/programs/1' },
    answers: [answerOf(signOnStarted)],
    refusals: [...bodyErrors, 'not_found', 'unavailable', 'rate_limited'],
  },
]
