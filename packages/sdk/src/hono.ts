import { clickIdFromCookies } from './click-cookie.ts'
import { TributaryArgumentError } from './errors.ts'

export type HonoContext = { req: { header(name: string): string | undefined } }

/** The visitor's click ID, or null. */
export const clickIdFrom = (c: HonoContext): string | null => {
  if (typeof c?.req?.header !== 'function')
    throw new TributaryArgumentError('clickIdFrom takes a Hono context. Pass c.', 'c')
  return clickIdFromCookies(c.req.header('cookie'))
}
