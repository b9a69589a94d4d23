import { afterAll, expect } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { givenBrowser } from '../../../../apps/dashboard/test/support/browser.ts'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'

/** Test host names. `co.uk` is on the browser's list of public suffixes. */
const HOSTS = '--host-resolver-rules=MAP *.example.test 127.0.0.1, MAP *.co.uk 127.0.0.1'

type Tab = { context: BrowserContext; page: Page }

const shared = globalThis as typeof globalThis & { wholeBrowser?: Promise<Browser> | undefined }

/** The full browser is four times slower than the headless shell, so only tests that need its hosts or cache use it. */
export const givenWholeBrowser = () => {
  shared.wholeBrowser ??= launchBrowser({ args: [HOSTS] }).then((started) =>
    started.once('disconnected', () => {
      shared.wholeBrowser = undefined
    }),
  )
  return shared.wholeBrowser
}

let browser: Browser
/** A cleaned tab for reuse. Opening a new one takes five times as long as a visit. */
let free: Tab | undefined

/** Call this at the top of each test file. The browser is shared by the process; the tab is closed with the file. */
export const startBrowser = async () => {
  browser = await givenBrowser()
  afterAll(async () => {
    await free?.context.close()
    free = undefined
  })
}

const openTab = async (on: Browser): Promise<Tab> => {
  const context = await on.newContext()
  return { context, page: await context.newPage() }
}

const TEST_EVENTS = ['weberror', 'console', 'request']

/** Clears cookies, which are shared between ports. Other storage is per origin, and each test has its own port. */
const reset = async ({ context, page }: Tab) => {
  // Only these events, because Playwright has its own listeners.
  for (const emitter of [context, page]) for (const event of TEST_EVENTS) emitter.removeAllListeners(event)
  await context.unrouteAll()
  await context.setOffline(false)
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.goto('about:blank')
  await context.clearCookies()
}

/** A visitor with an empty browser profile. `leave` fails if any page saw an exception. */
export const givenVisitor = async (on = browser) => {
  const isShared = on === browser
  const tab = isShared && free ? free : await openTab(on)
  // If the test fails before `leave`, the tab is not reused.
  if (isShared) free = undefined
  const { context, page } = tab
  const errors: string[] = []
  const lines: string[] = []
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('console', (message) => lines.push(message.text()))
  return {
    page,
    context,
    /** Lines that the script logged to the console. */
    lines: () => lines.filter((line) => line.startsWith('[service]')),
    errors,
    cookie: async () => (await context.cookies()).find(({ name }) => name === 'service_click_id'),
    /** Opens a URL and waits until the script is idle. */
    visit: async (url: string, on: Page = page): Promise<string | null> => {
      await on.goto(url)
      return settled(on)
    },
    leave: async () => {
      expect(errors).toEqual([])
      if (free || !isShared) return context.close()
      await reset(tab)
      free = tab
    },
    /** Closes the tab instead of reusing it, for tests that changed its clock or cookie settings, or that share a site. */
    leaveForGood: async () => {
      expect(errors).toEqual([])
      await context.close()
    },
  }
}
export type Visitor = Awaited<ReturnType<typeof givenVisitor>>

export const settled = (page: Page) => page.evaluate<string | null>('new Promise(service.ready)')
