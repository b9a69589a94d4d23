import { afterAll } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'

let shared: Promise<Browser> | undefined

/** One browser for a test file. */
export const givenBrowser = () => {
  shared ??= launchBrowser()
  return shared
}

afterAll(async () => {
  await (await shared)?.close()
  shared = undefined
})

export const DESKTOP = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions
export const PHONE = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} satisfies BrowserContextOptions
