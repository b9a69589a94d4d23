import type { BrowserContextOptions, Page } from 'playwright-core'
import { isLongRun } from '../../../server/test/support/size.ts'
import { givenBrowser } from './browser.ts'

/** Below the test timeout, so that a failure names the wait, but high enough for a busy machine. */
const TIMEOUT_MS = 80_000

const EVENTS = ['console', 'pageerror', 'request', 'response', 'download', 'dialog', 'popup'] as const

/** Unused pages, by window. A new page costs three times as much as reusing one. */
const shared = globalThis as typeof globalThis & { idlePages?: Map<string, Page[]> }
shared.idlePages ??= new Map()
const idle = shared.idlePages

const windowKey = ({ colorScheme: _, ...window }: BrowserContextOptions) => JSON.stringify(window)

/** A page without session, storage, history, listeners or routes, exclusive until `releasePage`. */
export const acquirePage = async (window: BrowserContextOptions) => {
  const kept = idle.get(windowKey(window))?.pop()
  const page = kept && !kept.isClosed() ? kept : await openPage(window)
  await page.emulateMedia({ colorScheme: window.colorScheme ?? 'light', reducedMotion: 'reduce' })
  return page
}

/** Animations cost a frame each, and clicks wait for their target to stop moving. */
const stopAnimations = () => {
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }')
  document.adoptedStyleSheets = [still]
}

const openPage = async (window: BrowserContextOptions) => {
  const context = await (await givenBrowser()).newContext({ locale: 'en-US', ...window })
  context.setDefaultTimeout(TIMEOUT_MS)
  if (!isLongRun) await context.addInitScript(stopAnimations)
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event: Event & Partial<SecurityPolicyViolationEvent>) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  return context.newPage()
}

/** Returns a page for reuse. After a failure, discard it instead: its state is unknown. */
export const releasePage = async (page: Page, window: BrowserContextOptions, origin: string) => {
  await clean(page, window, origin)
  const key = windowKey(window)
  idle.set(key, [...(idle.get(key) ?? []), page])
}

export const discardPage = (page: Page) => page.context().close()

const clean = async (page: Page, { viewport }: BrowserContextOptions, origin: string) => {
  const context = page.context()
  for (const event of EVENTS) page.removeAllListeners(event)
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await page.evaluate(() => sessionStorage.clear())
  await blank(page, origin)
  await context.clearCookies()
  const debug = await context.newCDPSession(page)
  await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await debug.send('Page.resetNavigationHistory')
  await debug.detach()
  if (viewport) await page.setViewportSize(viewport)
}

/** Stays on the origin to keep the renderer and its compiled code. */
const blank = async (page: Page, origin: string) => {
  const url = `${origin}/healthz`
  const isServed = await fetch(url).then(
    () => true,
    () => false,
  )
  // A route empties the cache, so that the next visit would load and compile the app again.
  if (!isServed) await page.route(url, (route) => route.fulfill({ contentType: 'text/plain', body: '' }))
  await page.goto(url)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}
