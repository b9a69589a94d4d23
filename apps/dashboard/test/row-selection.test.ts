import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenLink } from '../../server/test/support/given.ts'
import { givenPayingProgram } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const program = await givenPayingProgram(service, null)
for (let count = 0; count < 4; count++) await givenLink(service, program.id)
const account = { email: program.owner.email }
const path = `/programs/${program.id}/links`

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const rows = (page: Page) => page.getByRole('table').getByRole('checkbox', { name: /^Select (?!all)/ })
const all = (page: Page) => page.getByRole('table').getByRole('checkbox', { name: 'Select all on this page' })
const isMixed = (page: Page) => all(page).evaluate((box: HTMLInputElement) => box.indeterminate)
const disabledLinks = async () => {
  const { body } = await program.owner.call('GET', `${program.api}/links?active=false`)
  return body.meta.pagination.total
}

test('rows are selected by click, range, header and keyboard, and Escape clears', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Links')
    await rows(page).nth(1).click()
    await bar(page).getByText('1 selected').waitFor()
    expect(await isMixed(page)).toBe(true)
    await rows(page)
      .nth(3)
      .click({ modifiers: ['Shift'] })
    await bar(page).getByText('3 selected').waitFor()
    await soon(async () => expect(await rows(page).nth(2).isChecked()).toBe(true))
    await expectAccessibleAgain(page)
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })

    await rows(page).nth(0).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Space')
    await bar(page).getByText('3 selected').waitFor()
    await all(page).click()
    await bar(page).getByText('5 selected').waitFor()
    expect(await isMixed(page)).toBe(false)
    await all(page).click()
    await bar(page).waitFor({ state: 'detached' })
  }
  await visit(service, path, act, { as: account })
})

test.skipIf(!isLongRun)('an action runs on the selected rows, and another filter drops the selection', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Links')
    await rows(page).nth(0).click()
    await rows(page).nth(1).click()
    await bar(page).getByRole('button', { name: 'Disable 2 links' }).click()
    // Escape closes the dialog only.
    await page.getByRole('alertdialog', { name: 'Disable 2 links?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await bar(page).getByRole('button', { name: 'Disable 2 links' }).click()
    await page.getByRole('button', { name: 'Disable links' }).click()
    await page.getByText('2 links disabled.').waitFor()
    await bar(page).waitFor({ state: 'detached' })
    expect(await disabledLinks()).toBe(2)

    await all(page).click()
    await bar(page).getByText('5 selected').waitFor()
    await page.getByRole('button', { name: 'Disabled', exact: true }).click()
    await bar(page).waitFor({ state: 'detached' })
    await rows(page).nth(2).waitFor({ state: 'detached' })
    await all(page).click()
    await bar(page).getByRole('button', { name: 'Enable 2 links' }).click()
    await page.getByText('2 links enabled.').waitFor()
    await page.getByText('No links found').waitFor()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await rows(page).nth(4).waitFor()
    await soon(async () => expect(await bar(page).count()).toBe(0))
  }
  await visit(service, path, act, { as: account })
})

test.skipIf(!isLongRun)('on a phone, cards have checkboxes too', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Links')
    const cards = page.getByRole('list', { name: 'Referral links' })
    await cards
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .tap()
    await bar(page).getByText('1 selected').waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).tap()
    await bar(page).getByText('5 selected').waitFor()
    await expectNoSidewaysScroll(page)
    await bar(page).getByRole('button', { name: 'Clear' }).tap()
    await bar(page).waitFor({ state: 'detached' })
  }
  await visit(service, path, act, { as: account, window: PHONE })
})
