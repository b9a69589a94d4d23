import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startTestService } from '../../server/test/support/service.ts'
import { expectAccessible } from './support/accessible.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectEmpty, expectLoadingErrorFull, givenTroubledTour } from './support/four-states.ts'
import { expectGoodLooks } from './support/looks.ts'
import { givenNamedStory } from './support/names.ts'
import { givenOwner } from './support/owner.ts'
import { ENTRANCES, MERCHANT_SCREENS } from './support/screens.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const { story, names } = await givenNamedStory(service)
const as = story.account

const inside = givenTroubledTour(service, as)
const open = (path: string, act: (page: Page) => Promise<void>) => visit(service, story.path + path, act, { as })

describe('shows its shape, then why it could not be loaded, and then has a title, pleases axe, does not scroll sideways', () => {
  const all = { names, look: expectGoodLooks }
  const outside = givenTroubledTour(service)
  test.each(ENTRANCES)('$route', (screen) => expectLoadingErrorFull(outside, screen, all))
  test.each(MERCHANT_SCREENS)('$route', (screen) => expectLoadingErrorFull(inside, screen, all))
})

describe('what is empty says what would be there', async () => {
  const owner = await givenOwner(service)
  // Not the one that has a partner already.
  const { id: programId } = await owner.create('/api/programs', { name: 'Empty', workspaceId: owner.workspaceId })
  const tour = givenTour(service, '/account', { as: owner.account })
  test.each(MERCHANT_SCREENS.filter(({ empty }) => empty))('$route', (screen) =>
    expectEmpty(tour, screen, { programId }))
})

describe('by keyboard alone', () => {
  test('the command palette goes anywhere, and pleases axe as other dialogs do', () =>
    inside.open({ path: `${story.path}/customers`, title: 'Customers' }, async (page) => {
      await page.setViewportSize(DESKTOP.viewport)
      await untilLoaded(page, 'Customers')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await expectAccessible(page)
      await page.keyboard.type('partn')
      await page.keyboard.press('Enter')
      await untilLoaded(page, 'Partners')
    }))

  test('the first Tab skips the navigation, and what has the focus is seen', () =>
    inside.open({ path: `${story.path}/links`, title: 'Links', load: true }, async (page) => {
      await page.setViewportSize(DESKTOP.viewport)
      await untilLoaded(page, 'Links')
      await page.keyboard.press('Tab')
      const focused = page.locator(':focus')
      expect(await focused.innerText()).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect(await focused.innerText()).toContain('New link')
      expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
    }))

  test('a link is disabled only after a question, and Escape is a no', () =>
    inside.open({ path: `${story.path}/links`, title: 'Links' }, async (page) => {
      await page.setViewportSize(DESKTOP.viewport)
      const { aff } = story.link
      const row = page.getByRole('row', { name: new RegExp(aff) })
      const actions = page.getByRole('button', { name: `Actions for ${aff}` })
      await actions.press('Enter')
      await page.getByRole('menuitem', { name: 'Disable' }).press('Enter')
      await page.getByRole('alertdialog').waitFor()
      await page.keyboard.press('Escape')
      expect(await row.innerText()).toContain('Active')
      await actions.press('Enter')
      await page.getByRole('menuitem', { name: 'Disable' }).press('Enter')
      await page.getByRole('button', { name: 'Disable link' }).press('Enter')
      await page.getByText(`${aff} is disabled.`).waitFor()
      await row.getByText('Disabled').waitFor()
    }))
})

test('the navigation of a narrow window opens, leads on, and closes', () =>
  inside.open({ path: `${story.path}/customers`, title: 'Customers' }, async (page) => {
    await page.setViewportSize(PHONE.viewport)
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Links' }).click()
    await untilLoaded(page, 'Links')
    expect(await page.getByRole('dialog').count()).toBe(0)
  }))

test('the theme that was chosen is there before the first paint of the next visit', () =>
  open('/settings/exports', async (page) => {
    await page.getByRole('button', { name: 'Somebody' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    // The app itself never comes; the theme does not wait for it.
    await page.route('**/assets/*.js', () => {})
    await page.reload({ waitUntil: 'commit' })
    await page.waitForFunction(() => document.documentElement.classList.contains('dark'))
    expect(await page.locator('#root > *').count()).toBe(0)
  }))

test('a session that ends sends to the sign-in, and from there back to where one was', () =>
  open('/links', async (page) => {
    await untilLoaded(page, 'Links')
    await page.context().clearCookies()
    await page.goto(`${service.url}${story.path}/partners`)
    await untilLoaded(page, 'Sign in')
    await page.getByLabel('E-mail').fill(as.email)
    await page.getByLabel('Password').fill(as.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await untilLoaded(page, 'Partners')
  }))
