import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenRole } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenScenario } from './support/scenario.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const scenario = await givenScenario(service)
const path = `${scenario.path}/sales/customers/${scenario.clickId}`

test.skipIf(!isLongRun)('a viewer cannot erase a customer', async () => {
  const viewer = await givenUser(service)
  await givenRole(service, scenario.workspaceId, viewer, 'viewer')
  const look = async (page: Page) => {
    await untilLoaded(page, 'user_1')
    await soon(async () => expect(await page.getByRole('button', { name: 'Erase personal data' }).count()).toBe(0))
  }
  await visit(service, path, look, { as: { email: viewer.email } })
})

test('erasing a customer asks for confirmation and removes the name everywhere', () =>
  visit(
    service,
    path,
    async (page) => {
      await untilLoaded(page, 'user_1')
      await page.getByRole('button', { name: 'Erase personal data' }).click()
      const question = page.getByRole('alertdialog')
      await question.getByText('This can’t be undone.').waitFor()
      await expectAccessibleAgain(page)
      await page.keyboard.press('Escape')
      expect(
        (await scenario.owner.call('GET', `${scenario.api}/customers/${scenario.clickId}`)).body.data.customerKey,
      ).toBe('user_1')
      await page.getByRole('button', { name: 'Erase personal data' }).click()
      await question.getByRole('button', { name: 'Erase personal data' }).click()
      await page.getByText('Personal data erased.').waitFor()
      await untilLoaded(page, 'Erased customer')
      await soon(async () => expect(await page.getByRole('button', { name: 'Erase personal data' }).count()).toBe(0))
      await soon(async () => expect(await page.locator('main').innerText()).not.toMatch(/user_1|ada@|a\*+@/))
      await page.getByRole('link', { name: 'Customers' }).first().click()
      await untilLoaded(page, 'Customers')
      await page.getByRole('row', { name: /Erased customer/ }).waitFor()
    },
    { as: scenario.account },
  ))
