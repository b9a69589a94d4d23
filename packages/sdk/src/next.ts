import { clickIdFromCookies } from './click-cookie.ts'
import { TributaryArgumentError } from './errors.ts'

/** What `cookies()` of `next/headers` answers: by itself up to Next 14, as a promise since 15. */
export type CookieStore = { get(name: string): { value: string } | undefined }

/** The request of a route handler, of middleware, or of an API route under `pages/`. */
export type NextRequestLike =
  | { headers: { get(name: string): string | null } }
  | { headers: { cookie?: string | undefined } }

/**
 * The click of the visitor who makes this request, or null. Give it the request of a route handler, or `cookies()` in a server
 * action, awaited or not: a promise that nobody awaited is the usual reason for a lead without its click.
 */
export const clickIdFrom = async (
  source: NextRequestLike | CookieStore | Promise<CookieStore>,
): Promise<string | null> => {
  const from = await source
  if (typeof from !== 'object' || from === null || !('headers' in from || 'get' in from))
    throw new TributaryArgumentError(
      'clickIdFrom takes the request or cookies(): what was passed is neither.',
      'source',
    )
  return clickIdFromCookies(from)
}
