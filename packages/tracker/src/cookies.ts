import { CLICK_COOKIE } from '@tributary/contract/names'
import { attempt } from './attempt.ts'
import { STORAGE_KEY as PROBE, settings } from './settings.ts'

/** The click ID of this page if cookies are disabled. */
let remembered: string | null = null

const read = (name: string) =>
  attempt(() => (document.cookie.match(`(?:^|; )${name}=([^;]+)`) as string[])[1] as string)

/**
 * Writes a cookie on the widest domain that the browser accepts, because only the browser knows public suffixes such as co.uk. Falls
 * back to the host alone, the only choice for IP addresses and localhost. With zero seconds it deletes the cookie on every domain.
 */
const write = (name: string, value: string | number | null, seconds: number) => {
  const labels = location.hostname.split('.')
  // If cookieDomain is undefined, the browser rejects it and the next domain is tried.
  return [settings.cookieDomain, ...labels.map((_, index) => labels.slice(~index).join('.')), ''].find((domain) =>
    attempt(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is newer than the browsers we serve
      document.cookie = `${name}=${value};path=/;domain=${domain};max-age=${seconds};samesite=lax${
        location.protocol > 'http:' ? ';secure' : ''
      }`
      return seconds && read(name)
    }),
  )
}

export const widestDomain = () => {
  const domain = write(PROBE, 1, 9)
  write(PROBE, null, 0)
  return domain
}

export const getClickId = () => read(CLICK_COOKIE) || remembered

/** Zero seconds delete it. Deletes first, because an old cookie on a narrower domain would hide the new one. */
export const keepClickId = (clickId: string | null, seconds: number) => {
  remembered = clickId
  write(CLICK_COOKIE, null, 0)
  write(CLICK_COOKIE, clickId, seconds)
}
