import { expect } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { sessionOf } from '../../../server/test/support/accounts.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import { DESKTOP } from './browser.ts'
import { discardPage, givePageBack, takePage } from './pages.ts'
import type { Account } from './service.ts'

export type VisitOptions = { as?: Account; window?: BrowserContextOptions; expectedErrors?: RegExp }
export type VisitedService = Pick<TestService, 'url' | 'db'>

/**
 * Opens a page that has nothing of earlier visits, does what is asked there, and looks at the end whether anything went
 * wrong on the way: an error in the console, a breach of the Content-Security-Policy, a call to another origin.
 */
export const visit = async (
  service: VisitedService,
  path: string,
  act: (page: Page) => Promise<void>,
  options: VisitOptions = {},
) => {
  const { page, expectNoErrors, close, discard } = await startVisit(service, path, options)
  try {
    await act(page)
    expectNoErrors()
  } catch (error) {
    await discard()
    throw error
  }
  await close()
}

/** The page at `path`, which the caller closes or, after a failure, discards. */
export const startVisit = async (service: VisitedService, path: string, options: VisitOptions) => {
  const { as, window = DESKTOP, expectedErrors } = options
  const page = await takePage(window)
  const errors = watchErrors(page, service.url)
  const discard = () => discardPage(page)
  try {
    if (as) await signIn(service, page, as)
    await page.goto(service.url + path)
    await page.locator('h1').first().waitFor()
  } catch (error) {
    await discard()
    throw error
  }
  const expectNoErrors = () => expect(errors.filter((wrong) => !expectedErrors?.test(wrong))).toEqual([])
  const close = () => givePageBack(page, window, service.url)
  return { page, expectNoErrors, close, discard }
}

const watchErrors = (page: Page, ownOrigin: string) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(`${error.message}\n${error.stack}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== ownOrigin && protocol !== 'data:') errors.push(`a call to another origin: ${request.url()}`)
  })
  return errors
}

const signIn = async ({ url, db }: VisitedService, page: Page, { email }: Account) => {
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
