import type { Settings } from './types.ts'

/** Session storage key of the visit, and name of the cookie used to probe for the widest domain. */
export const STORAGE_KEY = 'service_visit'

/** Module state, because a page has only one tracker. */
export const settings = {} as Omit<Settings, 'consent'> & {
  base: URL
  /** 1 for granted, 0 for denied. Any value from the script tag means that consent is still required. */
  consent?: string | number
}

/** 1 if the visitor consents, 0 if they refuse; anything else is undecided. With `gpc`, the browser's signal is a refusal. */
export const consentGiven = () => {
  const { consent = 1, gpc } = settings
  return gpc !== undefined && (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl ? 0 : consent
}

/** An empty `data-debug` means on; `false` and `undefined` mean off. */
export const log = (text: unknown) => /^[fu]/.test(settings.debug as string) || console.log(`[service] ${text}`)
