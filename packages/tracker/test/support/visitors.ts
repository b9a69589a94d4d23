import { afterAll, expect } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { givenBrowser } from '../../../../apps/dashboard/test/support/browser.ts'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'

/** Names that no resolver knows; `co.uk` is nobody's own domain, which the browser has on a list. */
const HOSTS = '--host-resolver-rules=MAP *.example.test 127.0.0.1, MAP *.co.uk 127.0.0.1'

type Tab = { context: BrowserContext; page: Page }

const shared = globalThis as typeof globalThis & { wholeBrowser?: Promise<Browser> | undefined }

/** Each page costs four times as much in it as in the engine alone, so it is for those who need these hosts or its cache. */
export const givenWholeBrowser = () => {
  shared.wholeBrowser ??= launchBrowser({ args: [HOSTS] }).then((started) =>
    started.once('disconnected', () => {
      shared.wholeBrowser = undefined
    }),
  )
  return shared.wholeBrowser
}

let browser: Browser
/** The tab of whoever left last, as good as new. To open another takes five times as long as the visit itself. */
let free: Tab | undefined

/** Called by each file at its top. The browser is that of the process; the tab goes with the file, whose ports others get. */
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

const LISTENED = ['weberror', 'console', 'request']

/** Cookies know no ports, so they are cleared. What else is stored stays with its origin: each test has a site, and a port, of its own. */
const tidy = async ({ context, page }: Tab) => {
  // By name: Playwright listens too.
  for (const emitter of [context, page]) for (const event of LISTENED) emitter.removeAllListeners(event)
  await context.unrouteAll()
  await context.setOffline(false)
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.goto('about:blank')
  await context.clearCookies()
}

/** Somebody with a browser of their own, in which nothing is stored yet. No page of theirs may see an exception. */
export const givenVisitor = async (on = browser) => {
  const isUsual = on === browser
  const tab = isUsual && free ? free : await openTab(on)
  // Whoever does not leave, because a test failed, leaves no tab to the next.
  if (isUsual) free = undefined
  const { context, page } = tab
  const errors: string[] = []
  const lines: string[] = []
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('console', (message) => lines.push(message.text()))
  return {
    page,
    context,
    /** What the script said in the console. */
    lines: () => lines.filter((line) => line.startsWith('[service]')),
    errors,
    cookie: async () => (await context.cookies()).find(({ name }) => name === 'service_click_id'),
    /** Opens an address and waits until the script has done what there was to do. */
    visit: async (url: string, on: Page = page): Promise<string | null> => {
      await on.goto(url)
      return settled(on)
    },
    leave: async () => {
      expect(errors).toEqual([])
      if (free || !isUsual) return context.close()
      await tidy(tab)
      free = tab
    },
    /** For those who changed the browser itself, its clock or whether it has cookies, or whose site the next one visits too. */
    leaveForGood: async () => {
      expect(errors).toEqual([])
      await context.close()
    },
  }
}
export type Visitor = Awaited<ReturnType<typeof givenVisitor>>

export const settled = (page: Page) => page.evaluate<string | null>('new Promise(service.ready)')
