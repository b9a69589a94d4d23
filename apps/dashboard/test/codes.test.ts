import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startTestService } from '../../server/test/support/service.ts'
import { expectAccessible } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenCodeSeller } from './support/codes.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()

declare global {
  interface Window {
    clicked: string[]
  }
}

/** What the person clicks from here on, by its name. */
const recordClicks = (page: Page) =>
  page.evaluate(() => {
    window.clicked = []
    const nameOf = (target: EventTarget | null) =>
      target instanceof Element ? target.closest('a, button, input')?.textContent?.trim() : undefined
    addEventListener('click', ({ target }) => window.clicked.push(nameOf(target) ?? ''), { capture: true })
  })

test('a founder gives a partner a code with four clicks, and a sale with it is credited', async () => {
  const { owner, sell } = await givenCodeSeller(service)
  const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    await recordClicks(page)
    await main(page).getByRole('link', { name: 'Links' }).click()
    await page.getByRole('navigation', { name: 'Links' }).getByRole('link', { name: 'Codes' }).click()
    await page.getByText('customers enter when they pay').waitFor()
    await page.getByRole('button', { name: 'Add code' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Maya Lindqvist').waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill('SAM20')
    await dialog.getByRole('button', { name: 'Add code' }).click()
    await page.getByText('SAM20 now belongs to Maya Lindqvist.').waitFor()
    expect(await page.evaluate(() => window.clicked)).toEqual(['Links', 'Codes', 'Add code', 'Add code'])

    await sell({ promotion_code: 'sam20', invoice_id: 'INV-1', amount: 5_000 })
    const row = page.getByRole('row', { name: /SAM20/ })
    await soon(async () => expect(await row.innerText()).toMatch(/Active[\s\S]+1[\s\S]+\$50\.00[\s\S]+\$5\.00/))
    await expectAccessible(page)

    await main(page).getByRole('link', { name: 'Sales' }).click()
    await page.getByRole('cell', { name: /Maya Lindqvist\s*Code sam20/ }).waitFor()
    await page.getByRole('cell', { name: /^INV-1/ }).click()
    await untilLoaded(page, 'Sale INV-1')
    await page.getByText('The customer paid with a promotion code of the partner.').first().waitFor()
    await page.getByText(/^The code sam20 of Maya Lindqvist was credited/i).waitFor()
    await expectAccessible(page)
  }
  await visit(service, owner.path, act, { as: owner.account })
})
