import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenScenario } from './support/scenario.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const { path, account, saleId, link } = await givenScenario(service)

test('a search runs while typing, keeps the focus, and is in the URL', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    const box = page.getByRole('searchbox', { name: 'Search partners' })
    await box.pressSequentially('lindq', { delay: 20 })
    await page.waitForURL(/search=lindq/)
    await page.getByRole('row', { name: /Ben Okafor/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Maya Lindqvist/ }).waitFor()
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    await box.pressSequentially('vist', { delay: 20 })
    await page.waitForURL(/search=lindqvist/)
    // A typed search is one step back.
    await page.goBack()
    await page.waitForURL((url) => !url.searchParams.has('search'))
    await page.getByRole('row', { name: /Ben Okafor/ }).waitFor()
    await soon(async () => expect(await box.inputValue()).toBe(''))
  }
  await visit(service, `${path}/partners`, act, { as: account })
})

test('rows are links, and the way back has the filters of the list, even in a new tab', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Sales')
    const row = page.getByRole('table').getByRole('link', { name: /^INV-1/ })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), row.click({ modifiers: ['ControlOrMeta'] })])
    await untilLoaded(tab, 'Sale INV-1')
    expect(new URL(tab.url()).pathname).toBe(`${path}/sales/${saleId}`)
    await tab.getByRole('link', { name: 'Sales', exact: true }).last().click()
    await tab.waitForURL((url) => url.pathname.endsWith('/sales') && url.searchParams.get('state') === 'credited')
    await tab.close()
    await row.click()
    await untilLoaded(page, 'Sale INV-1')
    await page.goBack()
    await page.waitForURL((url) => url.pathname.endsWith('/sales') && url.searchParams.get('state') === 'credited')
  }
  await visit(service, `${path}/sales?state=credited`, act, { as: account })
})

test.skipIf(!isLongRun)('the breakdowns follow the chosen metric, and their rows keep the period', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    const table = page.getByRole('table', { name: 'By partner, most revenue first' })
    await table.getByRole('row', { name: /^Maya Lindqvist 1 \$49.00/ }).waitFor()
    await page.getByRole('tab', { name: /^Clicks/ }).click()
    const byClicks = page.getByRole('table', { name: 'By partner, most clicks first' })
    await byClicks.getByRole('columnheader', { name: 'Leads' }).waitFor()
    await byClicks.getByRole('link', { name: 'Maya Lindqvist' }).click()
    await untilLoaded(page, 'Events')
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('partnerId')).toContain(String(link.partnerId))
    const days = (Date.parse(searchParams.get('dateTo') ?? '') - Date.parse(searchParams.get('dateFrom') ?? '')) / 864e5
    expect(days).toBe(89)
    await page.goBack()
    await page.waitForURL(/period=90d/)
  }
  await visit(service, `${path}?period=90d&metric=revenue`, act, { as: account })
})
