import type { Settings } from './types.ts'

/** What the tracker keeps for a visit, and what it tries for a moment to learn where cookies may be set. */
export const STORAGE_KEY = 'service_visit'

/** There is one page and one tracker on it, so its modules keep their state to themselves. */
export const settings = {} as Omit<Settings, 'consent'> & {
  base: URL
  /** Of the page's answer: 1 for granted, 0 for denied. Anything that stands in the tag is no answer yet. */
  consent?: string | number
}

/** A bare `data-debug` is empty and means on; `false` and `undefined` mean off. */
export const log = (text: unknown) => /^[fu]/.test(settings.debug as string) || console.log(`[service] ${text}`)
