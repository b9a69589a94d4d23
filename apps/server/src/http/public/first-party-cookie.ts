import { CLICK_COOKIE } from '@tributary/contract'
import { generateCookie } from 'hono/cookie'
import type { RecordedClick } from '../../tracking/clicks/record-click.ts'

const DAY_SECONDS = 86_400

/**
 * With `first_party=1` the call came through the merchant's own host, so the response can set the cookie there. Browsers keep such a
 * cookie for the whole attribution window, but shorten the life of cookies set by scripts.
 *
 * Sending the parameter elsewhere is harmless. On a call from another origin the browser ignores the cookie, because the call has no
 * credentials. A navigation from another site gets no cookie, and nothing on our own origin reads it. The domain must be one that
 * the page could set itself, and the browser checks it again.
 */
export const firstPartyCookie = (request: Request, { clickId, cookieWindowDays }: RecordedClick) => {
  if (!request.url.includes('?')) return null
  const url = new URL(request.url)
  const site = request.headers.get('sec-fetch-site')
  if (url.searchParams.get('first_party') !== '1' || site === 'cross-site' || site === 'none') return null
  const page = URL.parse(request.headers.get('origin') ?? '')
  return generateCookie(CLICK_COOKIE, clickId, {
    path: '/',
    maxAge: cookieWindowDays * DAY_SECONDS,
    sameSite: 'Lax',
    // Not HttpOnly, because the script reads it. Behind a proxy only the page's origin shows whether it uses https.
    secure: (page ?? url).protocol === 'https:',
    domain: page ? domainWithin(page.hostname, url.searchParams.get('cookie_domain') ?? '') : undefined,
  })
}

const domainWithin = (host: string, domain: string) =>
  /^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(domain) && `.${host}`.endsWith(`.${domain.toLowerCase()}`) ? domain : undefined
