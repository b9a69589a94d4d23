import { clickIdFromCookies } from './click-cookie.ts'
import { TributaryArgumentError } from './errors.ts'

/** A request of Node, and of the frameworks that build on it. */
export type NodeRequest = { headers: { cookie?: string | undefined } }

/** Given something else, such as the headers alone, every visitor would seem to come without a click. */
export const clickIdFromRequest = (request: NodeRequest): string | null => {
  if (typeof request?.headers !== 'object')
    throw new TributaryArgumentError('clickIdFrom takes the request: what was passed has no headers.', 'request')
  return clickIdFromCookies(request.headers)
}
