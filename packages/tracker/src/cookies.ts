import { CLICK_COOKIE } from '@tributary/contract/names'
import { attempt } from './attempt.ts'
import { STORAGE_KEY as PROBE, settings } from './settings.ts'

/** For this page alone, where cookies are off. */
let remembered: string | null = null

const read = (name: string) =>
  attempt(() => (document.cookie.match(`(?:^|; )${name}=([^;]+)`) as string[])[1] as string)

/**
 * Writes a cookie on the widest domain on which the browser accepts it, for which domains belong to everybody only the
 * browser knows; last comes the host alone, which is all that an IP address and a single name such as localhost have.
 * With zero seconds it is accepted nowhere, and removed wherever it may stand.
 */
const write = (name: string, value: string | number | null, seconds: number) => {
  const labels = location.hostname.split('.')
  // No browser accepts a domain called undefined.
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

/** Zero seconds remove it. One that was left on a narrower domain would hide the new one, so it goes first. */
export const keepClickId = (clickId: string | null, seconds: number) => {
  remembered = clickId
  write(CLICK_COOKIE, null, 0)
  write(CLICK_COOKIE, clickId, seconds)
}
