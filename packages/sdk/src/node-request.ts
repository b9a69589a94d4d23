import { clickIdFromCookies } from './click-cookie.ts'
import { TributaryArgumentError } from './errors.ts'

/** A Node request, or one of a framework built on Node. */
export type NodeRequest = { headers: { cookie?: string | undefined } }

/** Throws for anything else: with only the headers, for example, every visitor would seem to have no click. */
export const clickIdFromRequest = (request: NodeRequest): string | null => {
  if (typeof request?.headers !== 'object')
    throw new TributaryArgumentError(
      'clickIdFrom takes the request, but the argument has no headers. Pass the request itself.',
      'request',
    )
  return clickIdFromCookies(request.headers)
}
