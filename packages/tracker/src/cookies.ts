import { CLICK_COOKIE } from '@tributary/contract/names'
import { attempt } from './attempt.ts'
import { STORAGE_KEY as PROBE, settings } from './settings.ts'

/** For this page alone, where cookies are off. */
let remembered: string

const read = (name: string) =>
  attempt(() => (document.cookie.match(`(?:^|; )${name}=([^;]+)`) as string[])[1] as string)

const write = (name: string, value: string, seconds: number, domain?: string) =>
  attempt(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is newer than the browsers we serve
    document.cookie = `${name}=${value};path=/;samesite=lax;max-age=${seconds};domain=${domain || ''}${
      location.protocol === 'https:' ? ';secure' : ''
    }`
  })

/**
 * The widest domain on which the browser accepts a cookie, for which domains belong to everybody only the browser
 * knows; undefined for the host alone, which is all that an IP address and a single name such as localhost have.
 */
export const widestDomain = () => {
  const labels = location.hostname.split('.')
  const { cookieDomain } = settings
  const wider = labels.slice(1).map((_, index) => labels.slice(-2 - index).join('.'))
  return (cookieDomain ? [cookieDomain, ...wider] : wider).find((domain) => {
    write(PROBE, '1', 9, domain)
    const isAccepted = read(PROBE)
    write(PROBE, '', 0, domain)
    return isAccepted
  })
}

export const getClickId = () => read(CLICK_COOKIE) || remembered || null

/** Zero seconds remove it. */
export const keepClickId = (clickId: string, seconds: number) => {
  remembered = clickId
  write(CLICK_COOKIE, clickId, seconds, widestDomain())
}
