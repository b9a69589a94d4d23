import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A real browser. Without one a test fails with a sentence; it is never skipped. */
export const openBrowser = (): Promise<Browser> => {
  const executablePath = [process.env.CHROME_PATH ?? '', ...PLACES, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  )
  if (!executablePath) throw new Error('No Chrome or Chromium was found: install one, or name it in CHROME_PATH.')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
}
