import { clickIdFromCookies } from './click-cookie.ts'

/** An Express request, or any other of Node's. No cookie parser is needed. */
export type NodeRequest = { headers: { cookie?: string | undefined } }

/** The click of the visitor who makes this request, or null. */
export const clickIdFrom = (request: NodeRequest): string | null => clickIdFromCookies(request.headers)
