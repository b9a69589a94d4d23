import { clickIdFromRequest, type NodeRequest } from './node-request.ts'

export type { NodeRequest }

/** The visitor's click ID, or null. For Express 4 and 5; needs no cookie parser. */
export const clickIdFrom = (request: NodeRequest): string | null => clickIdFromRequest(request)
