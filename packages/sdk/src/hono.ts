import { clickIdFromCookies } from './click-cookie.ts'
import { TributaryArgumentError } from './errors.ts'

/** A Hono context. */
export type HonoContext = { req: { header(name: string): string | undefined } }

/** The click of the visitor who makes this request, or null. */
export const clickIdFrom = (c: HonoContext): string | null => {
  if (typeof c?.req?.header !== 'function')
    throw new TributaryArgumentError('clickIdFrom takes the context of Hono: what was passed is none.', 'c')
  return clickIdFromCookies(c.req.header('cookie'))
}
