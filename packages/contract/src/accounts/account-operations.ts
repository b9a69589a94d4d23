import { z } from 'zod'
import { bodyErrors, type Operation } from '../openapi/operation.ts'
import {
  accountSession,
  changePasswordRequest,
  requestResetRequest,
  resetPasswordRequest,
  resetRequested,
  revokeSessionRequest,
  signedIn,
  signInRequest,
  signUpRequest,
  updateUserRequest,
} from './accounts.ts'
import { secondFactorNeeded } from './sign-in.ts'

/** The sign-in library routes these. */
export const SIGN_UP: Operation[] = [
  {
    method: 'post',
    path: '/api/auth/sign-up/email',
    caller: 'public',
    summary: 'Create an account',
    description:
      'Creates an account and signs it in: the response sets the session cookie. The first account on an instance needs no invitation. Later ones need `invitationId`, unless the instance runs with `OPEN_SIGNUP=true`.',
    request: signUpRequest,
    example: { name: 'Ada', email: 'ada@example.com', password: 'at least 8 characters' },
    answers: [signedIn],
    refusals: [...bodyErrors, 'sign_up_closed', 'conflict', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/sign-in/email',
    caller: 'public',
    summary: 'Sign in',
    description:
      'Checks an email address and password and sets the session cookie that the dashboard and portal calls use. If the account has two-factor sign-in, it answers `twoFactorRequired` instead.',
    request: signInRequest,
    example: { email: 'ada@example.com', password: 'at least 8 characters' },
    answers: [signedIn, secondFactorNeeded],
    refusals: [...bodyErrors, 'invalid_credentials', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/sign-out',
    caller: 'public',
    summary: 'Sign out',
    description: 'Ends the current session and clears its cookie. Calling it without a session is not an error.',
    answers: [z.object({ success: z.boolean() })],
    refusals: [],
  },
]

export const ACCOUNT: Operation[] = [
  {
    method: 'post',
    path: '/api/auth/update-user',
    caller: 'session',
    summary: 'Update your name',
    description: 'Changes the display name of the signed-in user.',
    request: updateUserRequest,
    example: { name: 'Ada Lovelace' },
    answers: [z.object({ status: z.boolean() })],
    refusals: [...bodyErrors, 'unauthenticated'],
  },
  {
    method: 'post',
    path: '/api/auth/change-password',
    caller: 'session',
    summary: 'Change your password',
    description: 'Needs the current password. Signs out all other sessions unless `revokeOtherSessions` is false.',
    request: changePasswordRequest,
    example: { currentPassword: 'the old password', newPassword: 'a new long password' },
    answers: [signedIn],
    refusals: [...bodyErrors, 'unauthenticated', 'invalid_credentials', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/request-password-reset',
    caller: 'public',
    summary: 'Request a password reset',
    description:
      'Emails a link to choose a new password. The response is the same whether or not the address has an account. Answers 404 if the instance has no mail server (`SMTP_URL`).',
    request: requestResetRequest,
    example: { email: 'ada@example.com' },
    answers: [resetRequested],
    refusals: [...bodyErrors, 'not_found', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/api/auth/reset-password',
    caller: 'public',
    summary: 'Reset your password',
    description:
      'Sets a new password with the token from the reset email. The token works once, and all sessions of the account end.',
    request: resetPasswordRequest,
    example: { token: 'from the mail', newPassword: 'a new long password' },
    answers: [z.object({ status: z.boolean() })],
    refusals: [...bodyErrors, 'not_found', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/api/auth/list-sessions',
    caller: 'session',
    summary: 'List your sessions',
    description: 'Lists every active session of the signed-in user, with the browser that started it.',
    answers: [z.array(accountSession)],
    refusals: ['unauthenticated'],
  },
  {
    method: 'post',
    path: '/api/auth/revoke-session',
    caller: 'session',
    summary: 'Revoke a session',
    description: 'Signs out one session, named by its `token` from the list of sessions.',
    request: revokeSessionRequest,
    example: { token: 'from list-sessions' },
    answers: [z.object({ status: z.boolean() })],
    refusals: [...bodyErrors, 'unauthenticated'],
  },
  {
    method: 'post',
    path: '/api/auth/revoke-other-sessions',
    caller: 'session',
    summary: 'Revoke other sessions',
    description: 'Signs out every session except the current one.',
    answers: [z.object({ status: z.boolean() })],
    refusals: ['unauthenticated'],
  },
  {
    method: 'post',
    path: '/api/auth/revoke-sessions',
    caller: 'session',
    summary: 'Revoke all sessions',
    description: 'Signs out every session, including the current one.',
    answers: [z.object({ status: z.boolean() })],
    refusals: ['unauthenticated'],
  },
]
