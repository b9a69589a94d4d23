import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome', 'microsoft-edge']

/** Locations on systems that do not put it on the PATH. */
const PLACES: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((folder) =>
    ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((file) =>
      join(process.env[folder] ?? '', file),
    ),
  ),
}

/** A browser of this machine that really starts: the one in CHROME_PATH, an installed one, or Playwright's own. */
export const findBrowser = (env: NodeJS.ProcessEnv = process.env): string | null => {
  // An explicit CHROME_PATH is never replaced by another browser.
  if (env.CHROME_PATH) return runs(env.CHROME_PATH) ? env.CHROME_PATH : null
  const onPath = placesOnPath(env, NAMES)
  const places = [...onPath, ...(PLACES[process.platform] ?? []), chromium.executablePath()]
  return places.find(runs) ?? null
}

const placesOnPath = (env: NodeJS.ProcessEnv, names: string[]) =>
  (env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))

const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']

/** The same engine without the browser around it, if available: a fifth less work, and no back-forward cache. */
export const findShell = (env: NodeJS.ProcessEnv = process.env): string | null =>
  (env.CHROME_PATH ? undefined : placesOnPath(env, SHELLS).find(runs)) ?? findBrowser(env)

/**
 * An existing file is not enough: Ubuntu's chromium-browser may be a note about snaps, and a download may miss
 * libraries.
 */
const runs = (path: string) => {
  if (!path || !existsSync(path)) return false
  // On Windows it would open a window and print nothing.
  return process.platform === 'win32' || spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0
}
