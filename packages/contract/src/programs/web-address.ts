import { z } from 'zod'
import { MAX_URL_LENGTH } from '../limits.ts'
import { originOf } from '../origins.ts'

/** Backslashes, white space and credentials make URL parsers disagree about the host. */
const isUnambiguousUrl = (text: string) => {
  const url = URL.parse(text)
  return !/[\\\s]/.test(text) && !url?.username && !url?.password
}

/** Suggests the full address if only a path, or an address without its scheme, was sent. */
const webAddressHint = (text: unknown) => {
  const usual = 'must be a full web address such as https://example.com/'
  if (typeof text !== 'string' || text.length > 200 || !/^[\w.~%/?#=&:+-]+$/.test(text)) return usual
  if (/^[/?#]/.test(text))
    return `must be a full web address, not just a path (enter ${URL.parse(text, 'https://example.com/')?.href})`
  const isLocal = /^localhost\b/.test(text)
  const scheme = isLocal ? 'http://' : 'https://'
  const isHost = isLocal || /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(text)
  return isHost ? `must start with ${scheme} (enter ${scheme}${text})` : usual
}

export const webAddress = z
  .string('must be a string')
  .max(MAX_URL_LENGTH, `must be at most ${MAX_URL_LENGTH} characters`)
  .refine((text) => originOf(text) !== null, { error: ({ input }) => webAddressHint(input) })
  .refine(isUnambiguousUrl, 'must not contain a backslash, white space, a user name or a password')
