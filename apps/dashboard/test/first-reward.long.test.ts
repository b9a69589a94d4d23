import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenSelling } from './support/earning.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

test('a program without a reward warns, and its first reward is applied to earlier sales only on request', async () => {
  const owner = await givenOwner(service)
  const { sell } = await givenSelling(service, owner)
  const { invoice_id } = await sell(5_000)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    await page.getByText('No reward is set, so partners earn nothing').waitFor()
    await page.getByText('You can apply your first reward to 1 sale and 1 lead').waitFor()
    await page.getByRole('link', { name: 'Sales' }).click()
    const row = page.getByRole('row', { name: new RegExp(invoice_id) })
    await row.getByText('No reward set').waitFor()
    await row.click()
    await page.getByText('This sale earned no commission because the program has no reward.').waitFor()
    await page.getByRole('link', { name: 'Set a reward' }).click()
    await untilLoaded(page, 'Rewards')
    await press(page, 'Percentage')
    await page.getByLabel('Percentage').fill('20')
    // Nothing is preselected, so the form cannot be submitted without a choice.
    await soon(async () => expect(await page.getByRole('radio', { checked: true }).count()).toBe(0))
    await expectAccessibleAgain(page)
    await page.getByLabel('Include earlier ones').check()
    await press(page, 'Save reward terms')
    await page.getByText('Applied to 1 sale: $10.00 in commissions.').first().waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await untilLoaded(page, 'Overview')
    await soon(async () => expect(await page.getByText('No reward is set').count()).toBe(0))
  }
  await visit(service, owner.path, act, { as: owner.account })
})
