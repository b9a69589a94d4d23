import type { BrowserContextOptions, Page } from 'playwright-core'
import { expectAccessibleAgain } from './accessible.ts'
import { addressOf, filled, type Names, type Screen } from './screens.ts'
import type { Account } from './service.ts'
import { givenTour, untilShown } from './tour.ts'
import type { VisitedService } from './visit.ts'

/** With a status that the service never has, so that what goes wrong by itself is told from it. */
const BROKEN = { status: 418, json: { error: { code: 'invalid_request', message: 'A test broke it.' } } }

type Tour = ReturnType<typeof givenTour>
type Look = (page: Page) => Promise<void>

/** A tour on which calls fail because the test makes them fail. */
export const givenTroubledTour = (service: VisitedService, as?: Account, window?: BrowserContextOptions) =>
  // It begins elsewhere, so that nothing of the first screen is there before.
  givenTour(service, as ? '/account' : '/sign-in', {
    ...(as && { as }),
    ...(window && { window }),
    expectedErrors: /status of 418/,
  })

/** A screen that loads shows its shape; then an error with a way to try again; then all of it, which `look` looks at. */
export const expectLoadingErrorFull = (tour: Tour, screen: Screen, { names, look }: { names: Names; look: Look }) => {
  const { api } = screen
  const title = filled(screen.title, names)
  const path = addressOf(screen, names)
  const lookAtAll = async (page: Page) => {
    await untilShown(page, title)
    await look(page)
  }
  if (!api) return tour.open({ path, title }, lookAtAll)
  // A page and what it loads may end alike.
  const isAsked = ({ pathname, href }: URL) => pathname.startsWith('/api/') && api.test(href)
  const prepare = async (page: Page) => {
    await page.route(isAsked, async (route) => {
      await page.getByRole('status').first().waitFor()
      await route.fulfill(BROKEN)
    })
  }
  return tour.open({ path, title, prepare, load: screen.isLoadedElsewhere }, async (page) => {
    await page.getByText('A test broke it.').first().waitFor()
    await expectAccessibleAgain(page)
    await page.unroute(isAsked)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('A test broke it.').first().waitFor({ state: 'detached' })
    await lookAtAll(page)
  })
}

/** A screen without anything on it says what would be there. */
export const expectEmpty = (tour: Tour, screen: Screen, names: Names) => {
  const title = filled(screen.title, names)
  return tour.open({ path: addressOf(screen, names), title }, async (page) => {
    await untilShown(page, title)
    await page
      .getByRole('heading', { name: screen.empty ?? '' })
      .first()
      .waitFor()
    await expectAccessibleAgain(page)
  })
}
