import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenScenario } from './support/scenario.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const scenario = await givenScenario(service)
const { path, account } = scenario
const header = (page: Page, name: string) => page.getByRole('columnheader', { name })

test('columns can be hidden, and a view keeps them with the filters and the sort order', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Sales')
    await page.getByRole('button', { name: 'Columns' }).click()
    await expectAccessibleAgain(page)
    await page.getByRole('menuitemcheckbox', { name: 'Credited to' }).click()
    await page.keyboard.press('Escape')
    await header(page, 'Credited to').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Credited', exact: true }).click()
    await header(page, 'Commission').getByRole('button').click()
    await page.waitForURL(/sort=-commissionCents/)

    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save current view' }).click()
    await page.getByLabel('Name').fill('Best sales')
    await page.getByLabel('Share with the team').click()
    await expectAccessibleAgain(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.getByText('View “Best sales” saved.').waitFor()

    await page.goto(`${service.url}${path}/sales`)
    await untilLoaded(page, 'Sales')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitem', { name: 'Reset columns' }).click()
    await header(page, 'Credited to').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: /^Best sales/ }).click()
    await page.waitForURL(/state=credited.*sort=-commissionCents|sort=-commissionCents.*state=credited/)
    await header(page, 'Credited to').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.waitForURL((url) => !url.searchParams.has('state'))
    await page.getByRole('button', { name: 'Best sales (changed)' }).click()
    await expectAccessibleAgain(page)
    await page.getByRole('menuitem', { name: 'Save changes to “Best sales”' }).click()
    await page.getByText('View “Best sales” updated.').waitFor()
    await page.getByRole('button', { name: 'Best sales', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Rename “Best sales”' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('By commission')
    await expectAccessibleAgain(page)
    await page.getByRole('button', { name: 'Rename view' }).click()
    await page.getByText('View “By commission” saved.').waitFor()
    const saved = (await scenario.owner.call('GET', `${scenario.api}/views`)).body.data
    expect(saved).toMatchObject([{ name: 'By commission', shared: true, search: { sort: '-commissionCents' } }])

    await page.getByRole('button', { name: 'By commission' }).click()
    await page.getByRole('menuitem', { name: 'Delete “By commission”' }).click()
    await page.getByRole('button', { name: 'Delete view' }).click()
    await page.getByText('View “By commission” deleted.').waitFor()
    expect((await scenario.owner.call('GET', `${scenario.api}/views`)).body.data).toEqual([])
  }
  await visit(service, `${path}/sales`, act, { as: account })
})

test.skipIf(!isLongRun)(
  'a commission shows its customer, invoice, sale and rate, and opens its explanation',
  async () => {
    const act = async (page: Page) => {
      await untilLoaded(page, 'Commissions')
      await page.getByRole('searchbox', { name: 'Search commissions' }).fill('inv-1')
      await page.waitForURL(/search=inv-1/)
      const row = page.getByRole('row', { name: /INV-1.*user_1.*Maya Lindqvist/ })
      await row.getByText('10% of $49.00').waitFor()
      await row.getByRole('link', { name: /^INV-1/ }).click()
      await untilLoaded(page, 'Sale INV-1')
      await page.getByRole('main').getByRole('link', { name: 'Commissions', exact: true }).click()
      await page.waitForURL(
        (url) => url.pathname.endsWith('/commissions') && url.searchParams.get('search') === 'inv-1',
      )
    }
    await visit(service, `${path}/commissions`, act, { as: account })
  },
)

test.skipIf(!isLongRun)('the command palette finds records, remembers them, and runs actions', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Sales')
    const box = page.getByRole('combobox')
    await page.keyboard.press('Control+k')
    await box.fill('INV-1')
    await page.getByRole('option', { name: 'INV-1 $49.00' }).waitFor()
    await expectAccessibleAgain(page)
    await box.fill('ada@customers.example')
    await page.getByRole('option', { name: /^user_1/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await untilLoaded(page, 'user_1')
    await page.keyboard.press('Control+k')
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: /^user_1/ })
    await recent.waitFor()
    await box.fill('invite')
    await page.getByRole('option', { name: 'Add partner' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Add partner' }).waitFor()
    await page.keyboard.press('Escape')
    await untilLoaded(page, 'Partners')
    await page.keyboard.press('Control+k')
    await box.fill('api key')
    await page.getByRole('option', { name: 'Create API key' }).click()
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
  }
  await visit(service, `${path}/sales`, act, { as: account })
})

test.skipIf(!isLongRun)('on a phone, views are among the filters, and columns are not offered', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Commissions')
    await page.getByRole('button', { name: 'Filters' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await sheet.getByRole('button', { name: 'Views' }).tap()
    await page.getByRole('menu').waitFor()
    expect(
      await page.getByRole('button', { name: 'Columns', includeHidden: true }).filter({ visible: true }).count(),
    ).toBe(0)
    await expectNoSidewaysScroll(page)
  }
  await visit(service, `${path}/commissions`, act, { as: account, window: PHONE })
})
