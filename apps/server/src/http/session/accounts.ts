import {
  changePasswordRequest,
  type ErrorCode,
  requestResetRequest,
  resetPasswordRequest,
  revokeSessionRequest,
  signInRequest,
  updateUserRequest,
} from '@tributary/contract'
import { isAPIError } from 'better-auth/api'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readOptionalJson } from '../read-json.ts'
import { requireSession } from './require-session.ts'

/** What of better-auth is part of our API as it is. Workspaces, members and invitations have routes of their own. */
const PATHS = [
  'sign-in/email',
  'sign-out',
  'get-session',
  'update-user',
  'change-password',
  'request-password-reset',
  'reset-password',
  'list-sessions',
  'revoke-session',
  'revoke-sessions',
  'revoke-other-sessions',
]

/** Only for who is signed in: told before anything is said about the body. */
const OF_THE_SIGNED_IN = [
  'update-user',
  'change-password',
  'list-sessions',
  'revoke-session',
  'revoke-sessions',
  'revoke-other-sessions',
]

const BODIES = {
  'sign-in/email': signInRequest,
  'update-user': updateUserRequest,
  'change-password': changePasswordRequest,
  'revoke-session': revokeSessionRequest,
  'request-password-reset': requestResetRequest,
  'reset-password': resetPasswordRequest,
}

const READS = ['get-session', 'list-sessions']

const BY_CODE: Record<string, ErrorCode> = {
  SIGN_UP_CLOSED: 'sign_up_closed',
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  INVALID_PASSWORD: 'invalid_credentials',
  USER_ALREADY_EXISTS: 'conflict',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'conflict',
  FAILED_TO_CREATE_USER: 'conflict',
  INVALID_TOKEN: 'not_found',
}
const ONLY_OWNER = 'This is the only owner of the workspace. Make somebody else an owner first'
const KNOWN_ADDRESS =
  'An account with this e-mail address already exists. Sign in with it. If the password is not yours, “Forgot your password?” sets a new one where this service sends mail'
const WORDS: Record<string, string> = {
  USER_ALREADY_EXISTS: KNOWN_ADDRESS,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: KNOWN_ADDRESS,
  INVALID_TOKEN: 'This link was used or has expired. Ask for a new one',
  FAILED_TO_CREATE_USER: 'Somebody else signed up at the same moment. Try again',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: ONLY_OWNER,
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: ONLY_OWNER,
}
const BY_STATUS: Record<number, ErrorCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
}

type LibraryError = { code?: string; message?: string }

/**
 * The library's refusals in our words. Its own 500 is what it makes of a database call that failed, with the cause in the
 * log only; anything else that goes wrong in it comes to us as it was thrown.
 */
const refusalOf = (status: number, { code = '', message }: LibraryError) => {
  if (status >= 500)
    return new Refusal('unavailable', 'Accounts cannot be reached just now. Try again shortly.', {
      retryAfterSeconds: 2,
    })
  const words = WORDS[code] ?? message
  return new Refusal(
    BY_CODE[code] ?? BY_STATUS[status] ?? 'invalid_request',
    words ? `${words.replace(/\.$/, '')}.` : 'This request is not valid.',
  )
}

/** Runs a call of the library's own API, and turns what it throws into a refusal. */
export const asRefusal = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    if (isAPIError(error)) throw refusalOf(error.statusCode, error.body ?? {})
    throw error
  }
}

/** /api/auth/*: sign-in and the sessions of the signed-in user. */
export const accounts = (app: App, dependencies: Dependencies) => {
  const { auth, limits, mailer } = dependencies
  app.use('/api/auth/sign-in/*', (c, next) => {
    if (c.req.method === 'POST') limits.signIn(c.get('clientIp'))
    return next()
  })
  for (const path of OF_THE_SIGNED_IN) app.use(`/api/auth/${path}`, requireSession(dependencies))
  // The present password is asked for, so it can be guessed at.
  app.use('/api/auth/change-password', (c, next) => {
    limits.signIn(c.get('clientIp'))
    return next()
  })
  for (const path of ['request-password-reset', 'reset-password'])
    app.use(`/api/auth/${path}`, (c, next) => {
      if (!mailer) throw new Refusal('not_found', 'This service sends no mail, so it cannot reset passwords.')
      limits.signIn(c.get('clientIp'))
      return next()
    })
  for (const path of PATHS)
    app.on(READS.includes(path) ? 'GET' : 'POST', `/api/auth/${path}`, async (c) => {
      const response = await asRefusal(auth.handler(await checked(c, path)))
      response.headers.delete('location')
      if (path === 'get-session') await countAsker(c, response)
      if (response.ok) return response
      throw refusalOf(response.status, (await response.json().catch(() => ({}))) as LibraryError)
    })

  /** Counts as every call of the signed-in does; its own answer says who that is. */
  const countAsker = async (c: Call, response: Response) => {
    const session = response.ok ? ((await response.clone().json()) as { user: { id: string } } | null) : null
    if (session) limits.user(session.user.id)
    else limits.visitor(c.get('clientIp'))
  }

  /**
   * The same rules for a body as everywhere, before the library sees it. Fields that the contract does not have are left out:
   * the library would send the browser to a `callbackURL` of any site.
   */
  const checked = async (c: Call, path: string) => {
    if (c.req.method !== 'POST') return c.req.raw
    const body = await readOptionalJson(c)
    return asJson(c, path in BODIES ? check(BODIES[path as keyof typeof BODIES], body) : {})
  }
}

const asJson = (c: Call, body: object) => {
  const headers = new Headers(c.req.raw.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  const { origin, pathname } = new URL(c.req.url)
  return new Request(origin + pathname, { method: 'POST', headers, body: JSON.stringify(body) })
}
