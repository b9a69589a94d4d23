import type { Page } from 'playwright-core'
import { expectAccessible } from './accessible.ts'
import { addressOf, filled, type Names, type Screen } from './screens.ts'
import type { Account } from './service.ts'
import { givenTour } from './tour.ts'
import { untilLoaded, type VisitedService } from './visit.ts'

const BROKEN = { status: 400, json: { error: { code: 'invalid_request', message: 'A test broke it.' } } }

type Tour = ReturnType<typeof givenTour>

/** A tour on which calls fail because the test makes them fail. */
export const givenTroubledTour = (service: VisitedService, as?: Account) =>
  // It begins elsewhere, so that nothing of the first screen is there before.
  givenTour(service, as ? '/account' : '/sign-in', { ...(as && { as }), expectedErrors: /status of 400/ })

/** A screen that loads shows its shape; then an error with a way to try again, which pleases axe; then all of it. */
export const expectLoadingErrorFull = (tour: Tour, screen: Screen, names: Names) => {
  const { api } = screen
  if (!api) throw new Error(`${screen.route} loads nothing`)
  const title = filled(screen.title, names)
  // A page and what it loads may end alike.
  const isAsked = ({ pathname, href }: URL) => pathname.startsWith('/api/') && api.test(href)
  const prepare = async (page: Page) => {
    await page.route(isAsked, async (route) => {
      await page.getByRole('status').first().waitFor()
      await route.fulfill(BROKEN)
    })
  }
  return tour.open({ path: addressOf(screen, names), title, prepare, load: screen.isLoadedElsewhere }, async (page) => {
    await page.getByText('A test broke it.').first().waitFor()
    await expectAccessible(page)
    await page.unroute(isAsked)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('A test broke it.').first().waitFor({ state: 'detached' })
    await untilLoaded(page, title)
  })
}

/** A screen without anything on it says what would be there. */
export const expectEmpty = (tour: Tour, screen: Screen, names: Names) => {
  const title = filled(screen.title, names)
  return tour.open({ path: addressOf(screen, names), title }, async (page) => {
    await untilLoaded(page, title)
    await page
      .getByRole('heading', { name: screen.empty ?? '' })
      .first()
      .waitFor()
    await expectAccessible(page)
  })
}
