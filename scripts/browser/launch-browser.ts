import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { findBrowser, findShell } from './find-browser.ts'

const ARGUMENTS = ['--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-component-update']

/**
 * A real headless browser for tests. scripts/test.mjs makes sure that one exists. `args` are additional Chromium
 * arguments, such as `--host-resolver-rules=MAP *.example.test 127.0.0.1`.
 */
export const launchBrowser = ({ args = [] }: { args?: string[] } = {}): Promise<Browser> =>
  chromium.launch(optionsWith(args))

/** For tests of pages that need only the browser's engine. */
export const launchShell = (): Promise<Browser> => chromium.launch(optionsWith([], findShell()))

const optionsWith = (args: string[], executablePath = findBrowser()) => {
  if (!executablePath)
    throw new Error('No browser found. `npm test` installs one; or set CHROME_PATH to a Chrome or Chromium.')
  return {
    executablePath,
    // Chromium's sandbox does not work as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...ARGUMENTS, ...args],
    // Visitors have the back-forward cache, so the tests have it too.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  }
}

/** For what Chromium does only without its developer tools attached, such as prerendering. */
export const openUnobserved = (url: string) => {
  const { executablePath, chromiumSandbox, args } = optionsWith([])
  const profile = mkdtempSync(join(tmpdir(), 'tributary-browser-'))
  const sandbox = chromiumSandbox ? [] : ['--no-sandbox']
  const browser = spawn(executablePath, ['--headless', ...sandbox, `--user-data-dir=${profile}`, ...args, url], {
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => browser.once('exit', resolve))
  return {
    close: async () => {
      browser.kill()
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
