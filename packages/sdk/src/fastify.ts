import { clickIdFromRequest, type NodeRequest } from './node-request.ts'

export type FastifyRequestLike = NodeRequest

/** The visitor's click ID, or null. Does not need `@fastify/cookie`. */
export const clickIdFrom = (request: FastifyRequestLike): string | null => clickIdFromRequest(request)
