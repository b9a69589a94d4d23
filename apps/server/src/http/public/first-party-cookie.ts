import { CLICK_COOKIE } from '@tributary/contract'
import { generateCookie } from 'hono/cookie'
import type { RecordedClick } from '../../tracking/clicks/record-click.ts'

const DAY_SECONDS = 86_400

/**
 * With `first_party=1` the call came through the merchant's own host, so the answer's header can set the cookie there:
 * browsers keep it for its whole window, where they shorten the life of one that a script writes.
 *
 * Nobody gains by asking for it elsewhere. A browser ignores it on a call from another origin, since the call carries no
 * credentials; one that navigates here from another site says so and is given none; and on our own origin nothing reads
 * it. The domain must be one that the page itself could name, and the browser judges it once more.
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
    // The script reads it, hence not HttpOnly. Behind a proxy only the page's origin tells of https.
    secure: (page ?? url).protocol === 'https:',
    domain: page ? domainWithin(page.hostname, url.searchParams.get('cookie_domain') ?? '') : undefined,
  })
}

const domainWithin = (host: string, domain: string) =>
  /^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(domain) && `.${host}`.endsWith(`.${domain.toLowerCase()}`) ? domain : undefined
