import { expect } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { sessionOf } from '../../../server/test/support/accounts.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import { DESKTOP } from './browser.ts'
import { acquirePage, discardPage, releasePage } from './pages.ts'

/** They get a session, without a password. */
export type SignedIn = { email: string }
export type VisitOptions = { as?: SignedIn; window?: BrowserContextOptions; expectedErrors?: RegExp }
export type VisitedService = Pick<TestService, 'url' | 'db'>

/** Runs `act` on a clean page. Fails on console errors, CSP violations and requests to other origins. */
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

/** The caller must close the page or, after a failure, discard it. */
export const startVisit = async (service: VisitedService, path: string, options: VisitOptions) => {
  const { as, window = DESKTOP, expectedErrors } = options
  const page = await acquirePage(window)
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
  const expectNoErrors = () => expect(errors.filter((message) => !expectedErrors?.test(message))).toEqual([])
  const close = () => releasePage(page, window, service.url)
  return { page, expectNoErrors, close, discard }
}

const watchErrors = (page: Page, ownOrigin: string) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(`${error.message}\n${error.stack}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== ownOrigin && protocol !== 'data:') errors.push(`request to another origin: ${request.url()}`)
  })
  return errors
}

const signIn = async ({ url, db }: VisitedService, page: Page, { email }: SignedIn) => {
  const cookie = await sessionOf(db, email)
  await page.context().addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Lax' }])
}

/** No element may be wider than the page. */
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

/** An overflow this small is never content to scroll to, such as a border that overlaps the edge of a scroll container. */
const STRAY_PX = 4

export const expectNoStrayScrollbar = async (page: Page) => {
  const stray = await page.evaluate(
    (strayPx) =>
      [...document.querySelectorAll('body *')]
        .filter((element) => {
          const { overflowX, overflowY } = getComputedStyle(element)
          const isStray = (overflow: string, px: number) => /auto|scroll/.test(overflow) && px > 0 && px <= strayPx
          return (
            isStray(overflowX, element.scrollWidth - element.clientWidth) ||
            isStray(overflowY, element.scrollHeight - element.clientHeight)
          )
        })
        .map((element) => `${element.tagName} ${element.className}`),
    STRAY_PX,
  )
  expect(stray).toEqual([])
}

/** Waits for the title, and for all loading to finish. */
export const untilLoaded = async (page: Page, title: string) => {
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.waitForFunction(() => document.querySelector('main [role=status]') === null)
}
