import { z } from 'zod'
import { MAX_URL_LENGTH, MAX_WEBSITES } from '../limits.ts'
import { hasSiteHost, originOf } from '../origins.ts'

const EXAMPLE = 'https://shop.example.com'

const hasCredentials = (address: string) => {
  const url = URL.parse(address)
  return Boolean(url?.username || url?.password)
}

/** Accepts any page of the site and stores its origin. */
const website = z
  .string('must be a string')
  .max(MAX_URL_LENGTH, `must be at most ${MAX_URL_LENGTH} characters`)
  .refine((address) => originOf(address) !== null && hasSiteHost(address), `must be a web address such as ${EXAMPLE}`)
  .refine((address) => !hasCredentials(address), `must not contain a user name or password; send ${EXAMPLE}`)
  .transform((address) => originOf(address) ?? '')

export const websitesRequest = z
  .array(website, `must be a list of web addresses such as ["${EXAMPLE}"]`)
  .max(MAX_WEBSITES, `must be at most ${MAX_WEBSITES} websites`)
  .transform((origins) => [...new Set(origins)])
  .describe('Websites that links may lead to. Paths are dropped. An empty list allows any website')

export const websites = z
  .array(z.string())
  .describe(
    'Origins (scheme, host and port) that links must lead to. Another subdomain, including `www.`, is another website. An empty list allows any website. The first is the default destination',
  )
