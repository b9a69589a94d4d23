import type { BrowserContextOptions, Page } from 'playwright-core'
import { isLongRun } from '../../../server/test/support/size.ts'
import { givenBrowser } from './browser.ts'

/** Below the limit of a test, so that a failure names the wait, and high enough for a busy machine. */
const TIMEOUT_MS = 80_000

const EVENTS = ['console', 'pageerror', 'request', 'response', 'download', 'dialog', 'popup'] as const

/** Pages that no test uses, by kind of window. A new page costs three times what a load in a used one costs. */
const shared = globalThis as typeof globalThis & { idlePages?: Map<string, Page[]> }
shared.idlePages ??= new Map()
const idle = shared.idlePages

const kindOf = ({ colorScheme: _, ...window }: BrowserContextOptions) => JSON.stringify(window)

/** A page without session, storage, history, listeners or routes. Nobody else gets it until `givePageBack`. */
export const takePage = async (window: BrowserContextOptions) => {
  const kept = idle.get(kindOf(window))?.pop()
  const page = kept && !kept.isClosed() ? kept : await openPage(window)
  await page.emulateMedia({ colorScheme: window.colorScheme ?? 'light', reducedMotion: 'reduce' })
  return page
}

/** Moving things cost a frame each, and a press waits until what it presses stands still. */
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

/** For the next test, unless something went wrong: then the page is in a state that nobody knows. */
export const givePageBack = async (page: Page, window: BrowserContextOptions, origin: string) => {
  await clean(page, window, origin)
  const kind = kindOf(window)
  idle.set(kind, [...(idle.get(kind) ?? []), page])
}

export const discardPage = (page: Page) => page.context().close()

const clean = async (page: Page, { viewport }: BrowserContextOptions, origin: string) => {
  const context = page.context()
  for (const event of EVENTS) page.removeAllListeners(event)
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await page.evaluate(() => sessionStorage.clear())
  await leave(page, origin)
  await context.clearCookies()
  const debug = await context.newCDPSession(page)
  await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await debug.send('Page.resetNavigationHistory')
  await debug.detach()
  if (viewport) await page.setViewportSize(viewport)
}

/** To the same origin, so that the process of the page stays, and with it the compiled code; the service may have stopped. */
const leave = async (page: Page, origin: string) => {
  const nothing = `${origin}/nothing`
  await page.route(nothing, (route) => route.fulfill({ contentType: 'text/plain', body: '' }))
  await page.goto(nothing)
  await page.unroute(nothing)
}
