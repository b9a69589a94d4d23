import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../../scripts/browser/launch-browser.ts'

/** A real browser. Without one a test fails with a sentence; it is never skipped. */
export const openBrowser = (): Promise<Browser> => launchBrowser()
