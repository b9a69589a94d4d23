import { kindOf } from './check-arguments.ts'
import { TributaryArgumentError } from './errors.ts'
import { CLICK_COOKIE, MAX_IDENTIFIER_LENGTH } from './wire.ts'

type CookieHeader = string | readonly string[] | null | undefined
type HeadersLike = { get(name: string): CookieHeader } | { cookie?: CookieHeader }
type CookieStore = { get(name: string): string | { value: string } | null | undefined }
type ParsedCookies = { readonly [name: string]: unknown }

/** Anything that holds cookies: the header, web `Headers`, Node's headers object, a request, or parsed cookies (object, map or store). */
export type CookieSource = CookieHeader | HeadersLike | { headers: HeadersLike } | CookieStore | ParsedCookies

/**
 * The visitor's click ID, or null. Visitors and other code can put anything into cookies, so invalid values are skipped, and the
 * result can always be sent. An argument that cannot hold cookies throws.
 */
export const clickIdFromCookies = (cookies: CookieSource): string | null => {
  if (cookies === null || cookies === undefined) return null
  if (isPromise(cookies)) throw wrongSource('a promise (await it first)')
  if (typeof cookies !== 'string' && typeof cookies !== 'object') throw wrongSource(kindOf(cookies))
  return clickIdIn(cookies)
}

const isPromise = (value: unknown) => typeof (value as { then?: unknown }).then === 'function'

const wrongSource = (given: string) =>
  new TributaryArgumentError(
    `clickIdFromCookies takes the Cookie header, headers, a request, or an object of cookies, not ${given}.`,
    'cookies',
  )

const clickIdIn = (cookies: unknown): string | null => {
  if (typeof cookies === 'string') return clickIdInHeader(cookies)
  if (Array.isArray(cookies)) return clickIdInHeader(cookies.filter((line) => typeof line === 'string').join(';'))
  if (typeof cookies !== 'object' || cookies === null) return null
  // Checked first, because a cookie may be named "headers" or "cookie".
  if (CLICK_COOKIE in cookies) return clickIdOf(cookies[CLICK_COOKIE])
  if ('headers' in cookies) return clickIdIn(cookies.headers)
  if ('get' in cookies && typeof cookies.get === 'function')
    return clickIdIn(cookies.get('cookie')) ?? clickIdOf(valueIn(cookies.get(CLICK_COOKIE)))
  return 'cookie' in cookies ? clickIdIn(cookies.cookie) : null
}

/** Some stores return the value of a cookie, others the whole cookie. */
const valueIn = (cookie: unknown): unknown =>
  typeof cookie === 'object' && cookie !== null && 'value' in cookie ? cookie.value : cookie

/**
 * The same cookie can be sent twice, for the host and its domain or for two paths. The first valid one counts, as in the script on the
 * page. Browsers send the longer path first, then the older cookie.
 */
const clickIdInHeader = (header: string): string | null => {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== CLICK_COOKIE) continue
    const clickId = clickIdOf(pair.slice(equals + 1))
    if (clickId !== null) return clickId
  }
  return null
}

/** Click IDs are URL-safe. Percent-encoding and quotes are added by some cookie libraries. */
const SHAPE = new RegExp(`^[\\w.~-]{1,${MAX_IDENTIFIER_LENGTH}}$`)

const clickIdOf = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const text = decode(value.trim().replace(/^"(.*)"$/, '$1'))
  return SHAPE.test(text) ? text : null
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
