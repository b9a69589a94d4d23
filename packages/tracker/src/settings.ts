import type { Settings } from './types.ts'

/** What the tracker keeps for a visit, and what it tries for a moment to learn where cookies may be set. */
export const STORAGE_KEY = 'service_visit'

/** There is one page and one tracker on it, so its modules keep their state to themselves. */
export const settings = {} as Settings

export const log = (text: string) => settings.debug != null && console.log(`[service] ${text}`)
