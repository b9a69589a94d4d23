import { afterAll, expect } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'

/** Names that no resolver knows; `co.uk` is nobody's own domain, which the browser has on a list. */
const HOSTS = '--host-resolver-rules=MAP *.example.test 127.0.0.1, MAP *.co.uk 127.0.0.1'

type Tab = { context: BrowserContext; page: Page }

let browser: Browser
/** The tab of whoever left last, as good as new. To open another takes five times as long as the visit itself. */
let free: Tab | undefined

/** Called by each file at its top, so that the browser is closed after the last of its tests. */
export const startBrowser = async () => {
  browser = await launchBrowser({ args: [HOSTS] })
  const started = browser
  afterAll(() => {
    free = undefined
    return started.close()
  })
}

const openTab = async (): Promise<Tab> => {
  const context = await browser.newContext()
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
export const givenVisitor = async () => {
  const tab = free ?? (await openTab())
  // Whoever does not leave, because a test failed, leaves no tab to the next.
  free = undefined
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
      await tidy(tab)
      if (free) await context.close()
      else free = tab
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
