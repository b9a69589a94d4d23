import { expect } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { sessionOf } from '../../../server/test/support/people.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import { DESKTOP, givenBrowser } from './browser.ts'
import type { Account } from './service.ts'

type Options = { as?: Account; window?: BrowserContextOptions; expectedErrors?: RegExp }
type Service = Pick<TestService, 'url' | 'db'>

/**
 * Opens a page in a browser of its own, does what is asked there, and looks at the end whether anything went wrong on the
 * way: an error in the console, a breach of the Content-Security-Policy, a call to another origin.
 */
export const visit = async (
  service: Service,
  path: string,
  act: (page: Page) => Promise<void>,
  options: Options = {},
) => {
  const { as, window = DESKTOP, expectedErrors } = options
  const browser = await givenBrowser()
  const context = await browser.newContext({ locale: 'en-US', ...window })
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('console', (message) => message.type() === 'error' && wrongs.push(message.text()))
  page.on('pageerror', (error) => wrongs.push(`${error.message}\n${error.stack}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== service.url && protocol !== 'data:') wrongs.push(`a call to another origin: ${request.url()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event: Event & Partial<SecurityPolicyViolationEvent>) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  try {
    if (as) await signIn(service, page, as)
    await page.goto(service.url + path)
    await page.locator('h1').first().waitFor()
    await act(page)
    expect(wrongs.filter((wrong) => !expectedErrors?.test(wrong))).toEqual([])
  } finally {
    await context.close()
  }
}

const signIn = async ({ url, db }: Service, page: Page, { email }: Account) => {
  const cookie = await sessionOf(db, email)
  await page.context().addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Lax' }])
}

/** Nothing on a page may be wider than the page. */
export const expectNoSidewaysScroll = async (page: Page) => {
  const tooWide = await page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .map((element) => `${element.tagName} ${element.className}`)
  })
  expect(tooWide).toEqual([])
}

/** A screen is there when its title is and nothing of it loads any more. */
export const untilLoaded = async (page: Page, title: string) => {
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.waitForFunction(() => document.querySelector('main [role=status]') === null)
}
