import { attempt } from './attempt.ts'
import { start } from './service.ts'
import type { Settings } from './types.ts'

/** The entry of service-tracker.js: settings are the attributes of its own tag. */
attempt(() => {
  const script = (document.currentScript || document.querySelector('[data-program-id]')) as HTMLScriptElement
  start({ apiBase: new URL('.', script.src).href, ...(script.dataset as Partial<Settings>) } as Settings)
})
