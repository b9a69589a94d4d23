import { afterAll } from 'bun:test'
import type { Page } from 'playwright-core'
import { isLongRun } from '../../../server/test/support/size.ts'
import { startVisit, untilLoaded, type VisitedService, type VisitOptions } from './visit.ts'

type Act = (page: Page) => Promise<void>
type Stop = {
  path: string
  title: string
  /** Runs before the screen opens. */
  prepare?: Act
  /** Reload the app in the short run too. */
  load?: boolean | undefined
}

/**
 * One visit for many screens of one user. `open` navigates within the app; the long run reloads it for each screen. After a
 * failure the next screen starts a new visit. `act` begins while the former screen may still be shown: wait for the title before typing
 * into a field that both have.
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
  // With an unchanged title, only a reload tells the new screen from the old one.
  if (load || isLongRun || (await heading.count()) > 0) await page.goto(origin + path)
  else await push(page, path)
}

/** Navigates within the app, like a link. */
export const push = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path)

/** Waits for the screen and its tab title. The portal's overview greets the partner, but not in the tab. */
export const untilShown = async (page: Page, title: string) => {
  await untilLoaded(page, title)
  const tab = title.startsWith('Hello, ') ? 'Overview' : title
  await page.waitForFunction((name) => document.title === name, `${tab} · Tributary`)
}
