import { attempt } from './attempt.ts'
import { start } from './service.ts'
import type { Settings } from './types.ts'

/** Entry point of service-tracker.js. Reads the settings from the attributes of its script tag. */
attempt(() => {
  const script = (document.currentScript || document.querySelector('[data-program-id]')) as HTMLScriptElement
  start({ apiBase: new URL('.', script.src).href, ...(script.dataset as Partial<Settings>) } as Settings)
})
