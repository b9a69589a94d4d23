import { afterAll } from 'bun:test'
import type { Page } from 'playwright-core'
import { isLongRun } from '../../../server/test/support/size.ts'
import { startVisit, untilLoaded, type VisitedService, type VisitOptions } from './visit.ts'

type Act = (page: Page) => Promise<void>
type Stop = {
  path: string
  title: string
  /** Before the screen is opened. */
  prepare?: Act
  /** Whether to load the app again in the short run as well. */
  load?: boolean | undefined
}

/**
 * One visit for many screens of one person. `open` goes on to the next screen as a link of the app does, without loading
 * the app again; the long run loads it for each. After a failure the next screen begins with a new visit.
 */
export const givenTour = (service: VisitedService, start: string, options: VisitOptions = {}) => {
  let current: Awaited<ReturnType<typeof startVisit>> | undefined
  afterAll(() => current?.close())

  const open = async (stop: Stop, act: Act) => {
    const visit = current ?? (await startVisit(service, start, options))
    current = undefined
    try {
      await stop.prepare?.(visit.page)
      await go(visit.page, service.url, stop)
      await act(visit.page)
      visit.expectNoErrors()
    } catch (error) {
      await visit.discard()
      throw error
    }
    current = visit
  }
  return { open }
}

const go = async (page: Page, origin: string, { path, title, load }: Stop) => {
  const heading = page.getByRole('heading', { level: 1, name: title })
  // Where the title stays the same, only a load tells the new screen from the old one.
  if (load || isLongRun || (await heading.count()) > 0) await page.goto(origin + path)
  else await push(page, path)
}

/** On to another screen, as a link of the app leads there. */
export const push = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path)

/** The screen is there, and the window names it. */
export const untilShown = async (page: Page, title: string) => {
  await untilLoaded(page, title)
  await page.waitForFunction((name) => document.title === name, `${title} · Tributary`)
}
