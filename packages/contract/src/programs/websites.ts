import { z } from 'zod'
import { MAX_URL_LENGTH, MAX_WEBSITES } from '../limits.ts'
import { namesSite, originOf } from '../origins.ts'

const EXAMPLE = 'https://shop.example.com'

const hasCredentials = (address: string) => {
  const url = URL.parse(address)
  return Boolean(url?.username || url?.password)
}

/** Any page of the site names it; the origin is what is stored. */
const website = z
  .string('must be a string')
  .max(MAX_URL_LENGTH, `must be at most ${MAX_URL_LENGTH} characters`)
  .refine((address) => originOf(address) !== null && namesSite(address), `must be a web address such as ${EXAMPLE}`)
  .refine((address) => !hasCredentials(address), `must not contain a user name or password; send ${EXAMPLE}`)
  .transform((address) => originOf(address) ?? '')

export const websitesRequest = z
  .array(website, `must be a list of web addresses such as ["${EXAMPLE}"]`)
  .max(MAX_WEBSITES, `must be at most ${MAX_WEBSITES} websites`)
  .transform((origins) => [...new Set(origins)])
  .describe('Where links may lead; a path is dropped. An empty list means anywhere')

export const websites = z
  .array(z.string())
  .describe(
    'Origins (scheme, host and port) that links must be on; a subdomain or `www.` is another site. Empty: anywhere. The first is the default destination',
  )
