import { clickIdFromRequest, type NodeRequest } from './node-request.ts'

export type FastifyRequestLike = NodeRequest

/** The click of the visitor who makes this request, or null. `@fastify/cookie` is not needed. */
export const clickIdFrom = (request: FastifyRequestLike): string | null => clickIdFromRequest(request)
