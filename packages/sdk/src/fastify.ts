import { clickIdFromCookies } from './click-cookie.ts'

/** A Fastify request. `@fastify/cookie` is not needed. */
export type FastifyRequestLike = { headers: { cookie?: string | undefined } }

/** The click of the visitor who makes this request, or null. */
export const clickIdFrom = (request: FastifyRequestLike): string | null => clickIdFromCookies(request.headers)
