import type { BrowserContextOptions, Page } from 'playwright-core'
import { expectAccessibleAgain } from './accessible.ts'
import { fillNames, type Names, type Screen, screenPath } from './screens.ts'
import { givenTour, untilShown } from './tour.ts'
import type { SignedIn, VisitedService } from './visit.ts'

/** A status the service never returns, to tell injected failures from real ones. */
const BROKEN = { status: 418, json: { error: { code: 'invalid_request', message: 'A test broke it.' } } }

type Tour = ReturnType<typeof givenTour>
type Look = (page: Page) => Promise<void>

/** A tour with injected API failures. */
export const givenFailingTour = (service: VisitedService, as?: SignedIn, window?: BrowserContextOptions) =>
  // Starts on another screen, so that nothing of the first one is cached.
  givenTour(service, as ? '/account' : '/sign-in', {
    ...(as && { as }),
    ...(window && { window }),
    expectedErrors: /status of 418/,
  })

/** What a screen loads shows a skeleton, then an error with a retry button, then its content, which `look` checks. */
export const expectLoadingErrorFull = (tour: Tour, screen: Screen, { names, look }: { names: Names; look: Look }) => {
  const { api, within } = screen
  const title = fillNames(screen.title, names)
  const path = screenPath(screen, names)
  const checkLoaded = async (page: Page) => {
    await untilShown(page, title)
    await look(page)
  }
  if (!api) return tour.open({ path, title }, checkLoaded)
  const partOf = (page: Page) => {
    const main = page.getByRole('main')
    return within ? main.locator('section').filter({ has: page.getByRole('heading', { name: within }) }) : main
  }
  // A page path may end like the API path it loads.
  const isApiCall = ({ pathname, href }: URL) => pathname.startsWith('/api/') && api.test(href)
  const prepare = async (page: Page) => {
    await page.route(isApiCall, async (route) => {
      await partOf(page).getByRole('status').first().waitFor()
      await route.fulfill(BROKEN)
    })
  }
  return tour.open({ path, title, prepare, load: screen.isLoadedElsewhere }, async (page) => {
    const part = partOf(page)
    await part.getByText('A test broke it.').first().waitFor()
    await expectAccessibleAgain(page)
    await page.unroute(isApiCall)
    await part.getByRole('button', { name: 'Try again' }).first().click()
    await part.getByText('A test broke it.').first().waitFor({ state: 'detached' })
    await checkLoaded(page)
  })
}

/** An empty screen says what will appear there. */
export const expectEmpty = (tour: Tour, screen: Screen, names: Names) => {
  const title = fillNames(screen.title, names)
  return tour.open({ path: screenPath(screen, names), title }, async (page) => {
    await untilShown(page, title)
    await page
      .getByRole('heading', { name: screen.empty ?? '' })
      .first()
      .waitFor()
    await expectAccessibleAgain(page)
  })
}
