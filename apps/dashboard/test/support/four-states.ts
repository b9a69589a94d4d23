import type { Page } from 'playwright-core'
import type { TestService } from '../../../server/test/support/service.ts'
import { expectAccessible } from './accessible.ts'
import { addressOf, filled, type Names, type Screen } from './screens.ts'
import type { Account } from './service.ts'
import { untilLoaded, visit } from './visit.ts'

const BROKEN = { status: 400, json: { error: { code: 'invalid_request', message: 'A test broke it.' } } }

type Visit = { service: TestService; screen: Screen; names: Names; as?: Account }

/** A screen that loads shows its shape; then an error with a way to try again, which pleases axe; then all of it. */
export const expectLoadingErrorFull = ({ service, screen, names, as }: Visit) => {
  const { api, title } = screen
  if (!api) throw new Error(`${screen.route} loads nothing`)
  const address = addressOf(screen, names)
  // A page and what it loads may end alike.
  const isAsked = ({ pathname, href }: URL) => pathname.startsWith('/api/') && api.test(href)
  const act = async (page: Page) => {
    await page.route(isAsked, async (route) => {
      await page.getByRole('status').first().waitFor()
      await route.fulfill(BROKEN)
    })
    await page.goto(service.url + address)
    await page.getByText('A test broke it.').first().waitFor()
    await expectAccessible(page)
    await page.unroute(isAsked)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('A test broke it.').first().waitFor({ state: 'detached' })
    await untilLoaded(page, filled(title, names))
  }
  // It begins elsewhere, so that nothing of the screen is there before.
  return visit(service, as ? '/account' : '/sign-in', act, { ...(as && { as }), expectedErrors: /status of 400/ })
}

/** A screen without anything on it says what would be there. */
export const expectEmpty = ({ service, screen, names, as }: Visit) =>
  visit(
    service,
    addressOf(screen, names),
    async (page) => {
      await untilLoaded(page, filled(screen.title, names))
      await page
        .getByRole('heading', { name: screen.empty ?? '' })
        .first()
        .waitFor()
      await expectAccessible(page)
    },
    { ...(as && { as }) },
  )
