import { startSignOnRequest } from '@tributary/contract'
import { asRefusal } from '../../accounts/as-refusal.ts'
import type { Auth } from '../../accounts/auth.ts'
import { acceptInvitation } from '../../accounts/operations/invitations.ts'
import { listInvitationsTo, rolesOf } from '../../accounts/workspaces.ts'
import { inTransaction } from '../../database/transaction.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { check, readOptionalJson } from '../read-json.ts'
import { callLibrary, jsonOf } from './call-library.ts'
import { withCookies } from './sign-up.ts'

/** Reasons that the sign-in page explains. All others read as a failed sign-in. */
const PROBLEMS: Record<string, string> = {
  not_invited: 'not_invited',
  domain_not_allowed: 'domain_not_allowed',
  email_not_verified: 'email_not_verified',
  // better-auth does not link an address that the provider has not verified.
  account_not_linked: 'email_not_verified',
  access_denied: 'access_denied',
}

/** The account has a second factor, so there is no session yet. */
const isChallenge = (headers: Headers) => headers.getSetCookie().some((cookie) => /two_factor=[^;]/.test(cookie))

/** Sign-in with the team's identity provider (OpenID Connect). */
export const signOn = (app: App, dependencies: Dependencies) => {
  const { baseUrl, limits } = dependencies

  const open = async () => {
    if (!dependencies.signOn)
      throw new Refusal('not_found', 'This instance has no identity provider. Sign in with your password.')
    const auth = await dependencies.signOn.open()
    if (auth) return auth
    throw new Refusal('unavailable', 'The identity provider can’t be reached right now. Sign in with your password.', {
      reason: 'identity_provider',
      retryAfterSeconds: 10,
    })
  }

  app.post('/api/auth/sign-in/oidc', async (c) => {
    const { next = '/' } = check(startSignOnRequest, await readOptionalJson(c))
    const auth = await open()
    const pages = { callbackURL: baseUrl + next, errorCallbackURL: `${baseUrl}/sign-in` }
    const body = { provider: 'oidc', disableRedirect: true, ...pages }
    const response = await callLibrary(c, auth, { path: 'sign-in/social', body })
    const { url } = await jsonOf<{ url: string }>(response)
    return withCookies(c, response.headers).json({ data: { url } })
  })

  // The browser returns from the identity provider. better-auth checks state, nonce and PKCE.
  app.get('/api/auth/callback/oidc', async (c) => {
    limits.visitor(c.get('clientIp'))
    const auth = await open()
    const response = await asRefusal(auth.handler(c.req.raw))
    const target = URL.parse(response.headers.get('location') ?? '', baseUrl)
    withCookies(c, response.headers)
    const error = target?.searchParams.get('error')
    if (!target || error || target.origin !== new URL(baseUrl).origin)
      return c.redirect(`${baseUrl}/sign-in?problem=${PROBLEMS[error ?? ''] ?? 'failed'}`)
    if (isChallenge(response.headers)) {
      const search = new URLSearchParams({ step: 'code', next: target.pathname + target.search })
      return c.redirect(`${baseUrl}/sign-in?${search}`)
    }
    await joinInvitingWorkspaces(auth, response.headers)
    return c.redirect(target.href)
  })

  /** The identity provider confirmed the address, which is what an invitation link asks for. */
  const joinInvitingWorkspaces = async (auth: Auth, answered: Headers) => {
    const cookie = answered.getSetCookie().map((line) => line.split(';')[0])
    const headers = new Headers({ cookie: cookie.join('; ') })
    const session = await asRefusal(auth.api.getSession({ headers }))
    const { db, clock, authIn } = dependencies
    if (!session || (await rolesOf(db, session.user.id)).length > 0) return
    const { user } = session
    for (const invitation of await listInvitationsTo(db, { email: user.email, at: clock() }))
      await inTransaction(db, (tx) => acceptInvitation(tx, { auth: authIn(tx), headers, user, invitation, clock }))
  }
}
