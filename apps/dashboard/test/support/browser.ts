import type { Browser, BrowserContextOptions } from 'playwright-core'
import { launchShell } from '../../../../scripts/browser/launch-browser.ts'

const shared = globalThis as typeof globalThis & { dashboardBrowser?: Promise<Browser> | undefined }

/** One browser per process, whose end ends it: `afterAll` of a worker runs after each of its files. */
export const givenBrowser = () => {
  shared.dashboardBrowser ??= launchShell().then((started) =>
    started.once('disconnected', () => {
      shared.dashboardBrowser = undefined
    }),
  )
  return shared.dashboardBrowser
}

export const DESKTOP = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions
export const PHONE = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} satisfies BrowserContextOptions
