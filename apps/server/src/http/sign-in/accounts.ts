import {
  changePasswordRequest,
  requestResetRequest,
  resetPasswordRequest,
  revokeSessionRequest,
  signInRequest,
  updateUserRequest,
} from '@tributary/contract'
import { asRefusal, type LibraryError, refusalOf } from '../../accounts/as-refusal.ts'
import { changeOwnPassword, signInUnlessReplaced } from '../../accounts/current-password.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readOptionalJson } from '../read-json.ts'
import { callLibrary, signInAnswer } from './call-library.ts'
import { requireSession } from './require-session.ts'

/** The better-auth routes we expose as they are. Workspaces, members and invitations have their own routes. */
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

/** Routes that check the session before the body. */
const SESSION_PATHS = [
  'update-user',
  'change-password',
  'list-sessions',
  'revoke-session',
  'revoke-sessions',
  'revoke-other-sessions',
]

const BODIES = {
  'update-user': updateUserRequest,
  'change-password': changePasswordRequest,
  'revoke-session': revokeSessionRequest,
  'request-password-reset': requestResetRequest,
  'reset-password': resetPasswordRequest,
}

const READS = ['get-session', 'list-sessions']

/** /api/auth/*: sign-in and the sessions of the signed-in user. */
export const accounts = (app: App, dependencies: Dependencies) => {
  const { auth, authIn, db, limits, mailer } = dependencies
  app.use('/api/auth/sign-in/*', (c, next) => {
    if (c.req.method === 'POST') limits.signIn(c.get('clientIp'))
    return next()
  })
  for (const path of SESSION_PATHS) app.use(`/api/auth/${path}`, requireSession(dependencies))
  // Limited like sign-in, because it can be used to guess the current password.
  app.use('/api/auth/change-password', (c, next) => {
    limits.signIn(c.get('clientIp'))
    return next()
  })
  for (const path of ['request-password-reset', 'reset-password'])
    app.use(`/api/auth/${path}`, (c, next) => {
      if (!mailer)
        throw new Refusal(
          'not_found',
          'This service can’t send email because no mail server is set up. Ask the person who runs it to set SMTP_URL.',
        )
      limits.signIn(c.get('clientIp'))
      return next()
    })
  for (const path of PATHS)
    app.on(READS.includes(path) ? 'GET' : 'POST', `/api/auth/${path}`, async (c) => {
      const response = await send(c, path)
      response.headers.delete('location')
      if (path === 'get-session') await countCaller(c, response)
      if (response.ok) return path === 'sign-in/email' ? signInAnswer(c, response) : response
      throw refusalOf(response.status, (await response.json().catch(() => ({}))) as LibraryError)
    })

  /** Rate-limits get-session, which does not go through requireSession. */
  const countCaller = async (c: Call, response: Response) => {
    const session = response.ok ? ((await response.clone().json()) as { user: { id: string } } | null) : null
    if (session) limits.user(session.user.id)
    else limits.visitor(c.get('clientIp'))
  }

  /**
   * Validates the body before better-auth sees it. Removes fields that are not in the contract: with a `callbackURL`, better-auth
   * would redirect the browser to any website.
   */
  const send = async (c: Call, path: string) => {
    if (c.req.method !== 'POST') return asRefusal(auth.handler(c.req.raw))
    const json = await readOptionalJson(c)
    if (path === 'sign-in/email') return signIn(c, check(signInRequest, json))
    const body = path in BODIES ? check(BODIES[path as keyof typeof BODIES], json) : {}
    if (path !== 'change-password') return callLibrary(c, auth, { path, body })
    const change = { userId: c.get('user').id, authIn }
    return changeOwnPassword(db, { ...change, change: (inside) => callLibrary(c, inside, { path, body }) })
  }

  const signIn = async (c: Call, body: { email: string }) => {
    const call = () => callLibrary(c, auth, { path: 'sign-in/email', body })
    const response = await signInUnlessReplaced(db, { auth, email: body.email, signIn: call })
    if (response) return response
    throw refusalOf(401, { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
  }
}
