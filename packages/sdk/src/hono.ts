import { clickIdFromCookies } from './click-cookie.ts'

/** A Hono context. */
export type HonoContext = { req: { header(name: string): string | undefined } }

/** The click of the visitor who makes this request, or null. */
export const clickIdFrom = (c: HonoContext): string | null => clickIdFromCookies(c.req.header('cookie'))
