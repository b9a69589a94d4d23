import { clickIdFromCookies } from './click-cookie.ts'
import { TributaryArgumentError } from './errors.ts'

/** The result of `cookies()` from `next/headers`. Since Next 15 it is a promise. */
export type CookieStore = { get(name: string): { value: string } | undefined }

/** The request of a route handler, middleware or an API route under `pages/`. */
export type NextRequestLike =
  | { headers: { get(name: string): string | null } }
  | { headers: { cookie?: string | undefined } }

/**
 * The visitor's click ID, or null. Takes the request of a route handler, or `cookies()` in a server action, awaited or not: forgetting
 * to await it is the usual reason for a lead without a click.
 */
export const clickIdFrom = async (
  source: NextRequestLike | CookieStore | Promise<CookieStore>,
): Promise<string | null> => {
  const from = await source
  if (typeof from !== 'object' || from === null || !('headers' in from || 'get' in from))
    throw new TributaryArgumentError('clickIdFrom takes the request or cookies(). Pass one of them.', 'source')
  return clickIdFromCookies(from)
}
