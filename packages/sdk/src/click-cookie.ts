import { CLICK_COOKIE, MAX_IDENTIFIER_LENGTH } from './wire.ts'

type CookieHeader = string | readonly string[] | null | undefined
type HeadersLike = { get(name: string): CookieHeader } | { cookie?: CookieHeader }

/** Anything that knows the cookies: their header, web `Headers`, the headers object of Node, or a request that has either. */
export type CookieSource = CookieHeader | HeadersLike | { headers: HeadersLike }

/**
 * The click of this visitor, or null. Visitors can put anything into their cookies, and other code does: whatever is odd
 * is passed over, so that what is returned can always be sent.
 */
export const clickIdFromCookies = (cookies: CookieSource): string | null => {
  for (const pair of headerOf(cookies).split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== CLICK_COOKIE) continue
    const clickId = clickIdOf(pair.slice(equals + 1))
    // The same name can be there twice, for the host and for its domain; the first that is whole counts.
    if (clickId !== null) return clickId
  }
  return null
}

const headerOf = (cookies: CookieSource): string => {
  if (typeof cookies === 'string') return cookies
  if (Array.isArray(cookies)) return cookies.filter((line) => typeof line === 'string').join(';')
  if (typeof cookies !== 'object' || cookies === null) return ''
  if ('headers' in cookies) return headerOf(cookies.headers)
  if ('get' in cookies && typeof cookies.get === 'function') return headerOf(cookies.get('cookie'))
  return 'cookie' in cookies ? headerOf(cookies.cookie) : ''
}

/** Click ids are URL-safe. Percent signs and quotes are what well-meaning cookie libraries add. */
const SHAPE = new RegExp(`^[\\w.~-]{1,${MAX_IDENTIFIER_LENGTH}}$`)

export const clickIdOf = (value: string): string | null => {
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
