import { asRefusal, type LibraryError, refusalOf } from '../../accounts/as-refusal.ts'
import type { Auth } from '../../accounts/auth.ts'
import type { Call } from '../context.ts'
import { withCookies } from './sign-up.ts'

type LibraryCall = { path: string; body: object; onlyCookie?: string }

/** Calls a better-auth route with our own body. `onlyCookie` withholds all other cookies. */
export const callLibrary = (c: Call, auth: Auth, { path, body, onlyCookie }: LibraryCall) => {
  const headers = new Headers(c.req.raw.headers)
  headers.set('content-type', 'application/json')
  headers.delete('content-length')
  if (onlyCookie) headers.set('cookie', cookieNamed(headers.get('cookie') ?? '', onlyCookie))
  const { origin } = new URL(c.req.url)
  const request = new Request(`${origin}/api/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return asRefusal(auth.handler(request))
}

/** The name is prefixed on https and by `cookiePrefix`. */
const cookieNamed = (cookies: string, name: string) =>
  cookies
    .split(/; */)
    .filter((cookie) => cookie.split('=')[0]?.endsWith(`tributary.${name}`))
    .join('; ')

/** The response of a successful call as JSON; any other becomes a refusal. */
export const jsonOf = async <Body>(response: Response): Promise<Body> => {
  const body = await response.json().catch(() => ({}))
  if (response.ok) return body as Body
  throw refusalOf(response.status, body as LibraryError)
}

/** Signed in, or waiting for the second factor: then better-auth has already ended the session. */
export const signInAnswer = async (c: Call, response: Response) => {
  const body = await jsonOf<{ twoFactorRedirect?: boolean }>(response)
  return withCookies(c, response.headers).json(body.twoFactorRedirect ? { twoFactorRequired: true } : body)
}
