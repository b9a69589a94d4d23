import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessible } from './support/accessible.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectEmpty, expectLoadingErrorFull, givenFailingTour } from './support/four-states.ts'
import { expectCleanLayout } from './support/looks.ts'
import { givenNamedScenario } from './support/names.ts'
import { givenOwner } from './support/owner.ts'
import { MERCHANT_SCREENS, PUBLIC_SCREENS, type Screen } from './support/screens.ts'
import { soon } from './support/soon.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, type VisitOptions, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const { scenario, names } = await givenNamedScenario(service)
const as = scenario.account

const inside = givenFailingTour(service, as)
const open = (path: string, act: (page: Page) => Promise<void>, options: VisitOptions = {}) =>
  visit(service, scenario.path + path, act, { as, ...options })

const SCREENS = [...PUBLIC_SCREENS, ...MERCHANT_SCREENS]

describe('shows a skeleton, then an error, then its content, which passes axe and does not scroll sideways', () => {
  const checks = (screen: Screen) => ({
    names,
    look: (page: Page) => expectCleanLayout(page, DESKTOP, SCREENS.indexOf(screen)),
  })
  const outside = givenFailingTour(service)
  test.each(PUBLIC_SCREENS)('$route', (screen) => expectLoadingErrorFull(outside, screen, checks(screen)))
  test.each(MERCHANT_SCREENS)('$route', (screen) => expectLoadingErrorFull(inside, screen, checks(screen)))
})

describe('an empty screen says what will appear', async () => {
  const owner = await givenOwner(service)
  // A new program, because the owner's first one already has a partner.
  const { id: programId } = await owner.create('/api/programs', { name: 'Empty', workspaceId: owner.workspaceId })
  const tour = givenTour(service, '/account', { as: owner.account })
  test.each(MERCHANT_SCREENS.filter(({ empty }) => empty))('$route', (screen) =>
    expectEmpty(tour, screen, { programId }))
})

describe('with the keyboard only', () => {
  test('the command palette navigates, and passes axe', () =>
    inside.open({ path: `${scenario.path}/sales/customers`, title: 'Customers' }, async (page) => {
      await page.setViewportSize(DESKTOP.viewport)
      await untilLoaded(page, 'Customers')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await expectAccessible(page)
      await page.keyboard.type('partn')
      await page.keyboard.press('Enter')
      await untilLoaded(page, 'Partners')
    }))

  test('the first Tab offers to skip the navigation, the focus is visible, and the whole page passes axe', () =>
    inside.open({ path: `${scenario.path}/links`, title: 'Links', load: true }, async (page) => {
      await page.setViewportSize(DESKTOP.viewport)
      await untilLoaded(page, 'Links')
      await expectAccessible(page, { withSidebar: true })
      await page.keyboard.press('Tab')
      const focused = page.locator(':focus')
      await soon(async () => expect(await focused.innerText()).toBe('Skip to content'))
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await soon(async () => expect(await focused.innerText()).toBe('Links'))
      expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
    }))

  test('disabling a link needs confirmation, and Escape cancels', () =>
    inside.open({ path: `${scenario.path}/links`, title: 'Links' }, async (page) => {
      await page.setViewportSize(DESKTOP.viewport)
      const { aff } = scenario.link
      const row = page.getByRole('row', { name: new RegExp(aff) })
      const actions = page.getByRole('button', { name: `Actions for ${aff}` })
      await actions.press('Enter')
      await page.getByRole('menuitem', { name: 'Disable' }).press('Enter')
      await page.getByRole('alertdialog').waitFor()
      await page.keyboard.press('Escape')
      await soon(async () => expect(await row.innerText()).toContain('Active'))
      await actions.press('Enter')
      await page.getByRole('menuitem', { name: 'Disable' }).press('Enter')
      await page.getByRole('button', { name: 'Disable link' }).press('Enter')
      await page.getByText(`${aff} disabled.`).waitFor()
      await row.getByText('Disabled').waitFor()
    }))
})

test('the navigation in a narrow window opens, navigates and closes', () =>
  inside.open({ path: `${scenario.path}/sales/customers`, title: 'Customers' }, async (page) => {
    await page.setViewportSize(PHONE.viewport)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Links' }).click()
    await untilLoaded(page, 'Links')
    await soon(async () => expect(await page.getByRole('dialog').count()).toBe(0))
  }))

test('the chosen theme applies before the first paint of the next visit', () =>
  open('/settings/exports', async (page) => {
    await page.getByRole('button', { name: 'Sam Reed' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    // The app never loads; the theme does not depend on it.
    await page.route('**/assets/*.js', () => {})
    await page.reload({ waitUntil: 'commit' })
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
    await soon(async () => expect(await page.locator('#root > *').count()).toBe(0))
  }))

test('an expired session leads to the sign-in page and back again', () =>
  open(
    '/links',
    async (page) => {
      await untilLoaded(page, 'Links')
      await page.context().clearCookies()
      await page.goto(`${service.url}${scenario.path}/partners`)
      await untilLoaded(page, 'Sign in')
      await page.getByLabel('Email').fill(as.email)
      await page.getByLabel('Password').fill(as.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await untilLoaded(page, 'Partners')
    },
    // The page may read again between the end of the session and leaving.
    { expectedErrors: /401 \(Unauthorized\)/ },
  ))
