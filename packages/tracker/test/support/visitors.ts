import { afterAll, expect } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'

/** Names that no resolver knows; `co.uk` is nobody's own domain, which the browser has on a list. */
const HOSTS = '--host-resolver-rules=MAP *.example.test 127.0.0.1, MAP *.co.uk 127.0.0.1'

let browser: Browser

/** Called by each file at its top, so that the browser is closed after the last of its tests. */
export const startBrowser = async () => {
  browser = await launchBrowser({ args: [HOSTS] })
  const started = browser
  afterAll(() => started.close())
}

/** Somebody with a browser of their own, in which nothing is stored yet. No page of theirs may see an exception. */
export const givenVisitor = async () => {
  const context = await browser.newContext()
  const errors: string[] = []
  const lines: string[] = []
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('console', (message) => lines.push(message.text()))
  const page = await context.newPage()
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
      await context.close()
    },
  }
}
export type Visitor = Awaited<ReturnType<typeof givenVisitor>>

export const settled = (page: Page) => page.evaluate<string | null>('new Promise(service.ready)')
