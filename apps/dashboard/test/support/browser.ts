import type { Browser, BrowserContextOptions } from 'playwright-core'
import { launchShell } from '../../../../scripts/browser/launch-browser.ts'

const shared = globalThis as typeof globalThis & { dashboardBrowser?: Promise<Browser> | undefined }

/** One browser per process, closed with it: `afterAll` would run after each test file. */
export const givenBrowser = () => {
  shared.dashboardBrowser ??= launchShell().then((started) =>
    started.once('disconnected', () => {
      shared.dashboardBrowser = undefined
    }),
  )
  return shared.dashboardBrowser
}

export const DESKTOP = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions
/** The smallest window of a laptop that everything fits without scrolling the menu. */
export const LAPTOP = { viewport: { width: 1280, height: 720 } } satisfies BrowserContextOptions
export const PHONE = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} satisfies BrowserContextOptions
