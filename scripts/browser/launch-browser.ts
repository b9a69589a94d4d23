import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { findBrowser } from './find-browser.ts'

export type LaunchOptions = {
  /** Further arguments of Chromium, such as `--host-resolver-rules=MAP *.example.test 127.0.0.1`. */
  args?: string[]
  /** A profile that stays, for what is set in a profile's own preferences. */
  profile?: string
}

const ARGUMENTS = ['--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-component-update']

/** A real browser without a window, for tests. It is there because scripts/test.mjs saw to it; if not, this says so. */
export const launchBrowser = ({ args = [] }: Pick<LaunchOptions, 'args'> = {}): Promise<Browser> =>
  chromium.launch(optionsWith(args))

export const launchProfile = ({ args = [], profile }: LaunchOptions & { profile: string }): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, optionsWith(args))

const optionsWith = (args: string[]) => {
  const executablePath = findBrowser()
  if (!executablePath)
    throw new Error('There is no browser. `npm test` installs one; or set CHROME_PATH to a Chrome or Chromium.')
  return {
    executablePath,
    // Chromium's sandbox does not work as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...ARGUMENTS, ...args],
    // Visitors have the back-forward cache, so the tests have it too.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  }
}
