import { afterAll } from 'bun:test'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const findBrowser = () => {
  const path = CANDIDATES.find((candidate) => existsSync(candidate))
  if (!path) throw new Error(`The tests of the dashboard need Chromium at one of: ${CANDIDATES.join(', ')}.`)
  return path
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'],
  })

let shared: Promise<Browser> | undefined

/** One browser for a test file. */
export const givenBrowser = () => {
  shared ??= openBrowser()
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
