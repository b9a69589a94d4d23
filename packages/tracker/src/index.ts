import { attempt } from './attempt.ts'
import { service, start } from './service.ts'
import type { Service, Settings } from './types.ts'

export type { QueuedCall, Service, Settings, SignupAnswer } from './types.ts'

/** Does what the script tag does, for pages that bundle their scripts. Returns undefined on a server. */
export const startTracker = (settings: Settings): Service | undefined => {
  if (typeof window === 'undefined') return undefined
  attempt(() => start({ ...settings, debug: settings.debug || undefined }))
  return service
}
