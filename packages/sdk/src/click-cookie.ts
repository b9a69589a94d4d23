import { kindOf } from './check-arguments.ts'
import { TributaryArgumentError } from './errors.ts'
import { CLICK_COOKIE, MAX_IDENTIFIER_LENGTH } from './wire.ts'

type CookieHeader = string | readonly string[] | null | undefined
type HeadersLike = { get(name: string): CookieHeader } | { cookie?: CookieHeader }
type CookieStore = { get(name: string): string | { value: string } | null | undefined }
type ParsedCookies = { readonly [name: string]: unknown }

/**
 * Anything that knows the cookies: their header, web `Headers`, the headers object of Node, a request that has either, or what a
 * cookie parser has made of them: an object, a map or a store.
 */
export type CookieSource = CookieHeader | HeadersLike | { headers: HeadersLike } | CookieStore | ParsedCookies

/**
 * The click of this visitor, or null. Visitors can put anything into their cookies, and other code does: whatever is odd
 * is passed over, so that what is returned can always be sent. What is no source of cookies at all is the caller's mistake.
 */
export const clickIdFromCookies = (cookies: CookieSource): string | null => {
  if (cookies === null || cookies === undefined) return null
  if (isPromise(cookies)) throw wrongSource('a promise: await it first')
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
  // First, because a cookie may well be called "headers" or "cookie".
  if (CLICK_COOKIE in cookies) return clickIdOf(cookies[CLICK_COOKIE])
  if ('headers' in cookies) return clickIdIn(cookies.headers)
  if ('get' in cookies && typeof cookies.get === 'function')
    return clickIdIn(cookies.get('cookie')) ?? clickIdOf(valueIn(cookies.get(CLICK_COOKIE)))
  return 'cookie' in cookies ? clickIdIn(cookies.cookie) : null
}

/** Some stores answer the value of a cookie, some the whole cookie. */
const valueIn = (cookie: unknown): unknown =>
  typeof cookie === 'object' && cookie !== null && 'value' in cookie ? cookie.value : cookie

/**
 * The same name can be there twice, for the host and for its domain, or for two paths. The first that is whole counts: browsers
 * send the longer path first, then the older cookie, and the script on the page reads the same one.
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

/** Click ids are URL-safe. Percent signs and quotes are what well-meaning cookie libraries add. */
const SHAPE = new RegExp(`^[\\w.~-]{1,${MAX_IDENTIFIER_LENGTH}}$`)

const clickIdOf = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const text = decoded(value.trim().replace(/^"(.*)"$/, '$1'))
  return SHAPE.test(text) ? text : null
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
