import { clickIdFromRequest, type NodeRequest } from './node-request.ts'

export type { NodeRequest }

/** The click of the visitor who makes this request, or null. Express 4 and 5; no cookie parser is needed. */
export const clickIdFrom = (request: NodeRequest): string | null => clickIdFromRequest(request)
