import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenClick, givenLink, unique } from '../../server/test/support/given.ts'
import { givenPayingProgram } from '../../server/test/support/money.ts'
import { DAY_MS } from '../../server/test/support/service.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

/** Ends now, because the browser shows the real time. */
const givenShop = async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 2_000, duration: 'lifetime' } })
  await service.pool.query("UPDATE partners SET name = 'Maya Lindqvist' WHERE program_id = $1", [program.id])
  const other = await givenLink(service, program.id)
  service.clock.advance(-65 * DAY_MS)
  const sell = (customer_key: string, amount: number) =>
    program.sale({ customer_key, amount, invoice_id: unique('invoice') })
  const early = await program.customer()
  await sell(early, 10_000)
  service.clock.advance(35 * DAY_MS)
  await sell(early, 10_000)
  service.clock.advance(29 * DAY_MS)
  await givenClick(service, program.link)
  await givenClick(service, other)
  service.clock.advance(DAY_MS)
  for (const amount of [3_000, 5_000]) await sell(await program.customer(), amount)
  for (let click = 0; click < 6; click++) await givenClick(service, program.link)
  await sell(early, 10_000)
  const account = { email: program.owner.email }
  return { ...program, account, path: `/programs/${program.id}` }
}

const rowOf = async (page: Page, table: string, row: string | RegExp) =>
  (
    await page.getByRole('table', { name: table }).getByRole('row', { name: row }).getByRole('cell').allInnerTexts()
  ).map((text) => text.replaceAll(/\s+/g, ' ').trim())

const choosePeriod = async (page: Page, name: string) => {
  await page.getByRole('button', { name: /^Period/ }).click()
  await page.getByRole('button', { name, exact: true }).click()
}

test('the overview shows today by hour, the funnel, and the previous period on request', async () => {
  const shop = await givenShop()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    await choosePeriod(page, 'Today')
    await page.getByRole('tab', { name: /^Clicks/ }).click()
    const chart = page.getByRole('table', { name: 'Clicks by hour' })
    await chart.waitFor({ state: 'attached' })
    await soon(async () => expect(await chart.getByRole('row').count()).toBe(24))
    await page.getByText('Dot: this hour so far', { exact: false }).waitFor()
    await page.getByText('$22.50 revenue per click').waitFor()
    expect(await rowOf(page, 'Funnel from clicks to first sales', /^Leads/)).toEqual(['2', '25.0%'])
    expect(await rowOf(page, 'Funnel from clicks to first sales', /^First sales/)).toEqual(['2', '100%'])
    await page.getByRole('button', { name: /^Period/ }).click()
    await page.getByRole('switch', { name: 'Show previous period' }).click()
    await page.getByText('Grey line:', { exact: false }).waitFor()
    await chart.getByRole('columnheader', { name: 'Previous period' }).waitFor({ state: 'attached' })
    expect(page.url()).toContain('compare=previous')
    await expectAccessibleAgain(page)
    await page.getByRole('button', { name: '7 days' }).click()
    await page.getByText('Dot: today so far · Grey line', { exact: false }).waitFor()
    // Only some hours of the last previous day count. The sale of 30 days ago is on the day before it.
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
    await push(page, `${shop.path}?dateFrom=${day(28)}&dateTo=${day(0)}&compare=previous`)
    await page.getByText(/ · Grey line: .+$/).waitFor()
    await page.getByRole('button', { name: 'Period: Custom' }).click()
    await page.getByText(/^Compared with .+, up to the same time\.$/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: /^Sales 200% more, compared with .+, up to the same time/ }).waitFor()
  }
  await visit(service, shop.path, act, { as: shop.account })
})

test.skipIf(!isLongRun)('a partner sees today by hour in the portal', async () => {
  const shop = await givenShop()
  const act = async (page: Page) => {
    await choosePeriod(page, 'Today')
    await page.getByRole('tab', { name: /^Clicks/ }).click()
    const chart = page.getByRole('table', { name: 'Clicks by hour' })
    await chart.waitFor({ state: 'attached' })
    await page.getByText('Dot: this hour so far', { exact: false }).waitFor()
    await page.getByRole('button', { name: /^Period/ }).click()
    await page.getByRole('switch', { name: 'Show previous period' }).click()
    await page.getByText('Grey line:', { exact: false }).waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `/portal/${shop.id}`, act, { as: await givenPartnerAccount(service, shop) })
})

test.skipIf(!isLongRun)('the analytics page tells new from returning customers, and exports its tables', async () => {
  const shop = await givenShop()
  const act = async (page: Page) => {
    await untilLoaded(page, 'Analytics')
    const customers = 'Sales to new and returning customers'
    expect(await rowOf(page, customers, /^New customers/)).toEqual(['2', '$80.00 44.4%'])
    expect(await rowOf(page, customers, /^Returning customers/)).toEqual(['1', '$100.00 55.6%'])
    expect(await rowOf(page, 'Partners, highest revenue first', /Maya Lindqvist/)).toEqual([
      '9',
      '2',
      '3',
      '$180.00',
      '$20.00',
    ])
    const times = 'Time from the first click to the lead and the first sale'
    expect(await rowOf(page, times, 'Under 1 minute')).toEqual(['2 100%', '2 100%'])
    const cohorts = page.getByRole('table', { name: 'Revenue per customer up to each month after the first sale' })
    await soon(async () => expect(await cohorts.getByRole('row').count()).toBe(3))
    const oldest = cohorts.getByRole('row').last().getByRole('cell')
    expect((await oldest.allInnerTexts()).at(-1)).toBe('$300.00')
    await page.getByText('after refunds and lost disputes', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Before refunds' }).click()
    await page.getByText('before refunds and lost disputes', { exact: false }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV: Leaderboard' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^leaderboard-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
    expect(await Bun.file(await file.path()).text()).toContain(
      `1,${shop.link.partnerId},Maya Lindqvist,9,2,3,USD,180.00`,
    )
    await expectAccessibleAgain(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessibleAgain(page)
  }
  await visit(service, `${shop.path}/analytics`, act, { as: shop.account })
})

test.skipIf(!isLongRun)(
  'a program without activity says what will appear, and a phone needs no sideways scroll',
  async () => {
    const program = await givenPayingProgram(service, { sale: { percentBps: 2_000, duration: 'lifetime' } })
    const shop = await givenShop()
    const account = { email: program.owner.email }
    const act = async (page: Page) => {
      await untilLoaded(page, 'Analytics')
      await page.getByText('Customers appear here in the month of their first sale.').waitFor()
      await soon(async () => expect(await page.getByRole('button', { name: /Export/ }).count()).toBe(0))
      await expectAccessibleAgain(page)
    }
    await visit(service, `/programs/${program.id}/analytics`, act, { as: account })
    const onPhone = async (page: Page) => {
      await untilLoaded(page, 'Analytics')
      await expectNoSidewaysScroll(page)
    }
    await visit(service, `${shop.path}/analytics`, onPhone, { as: shop.account, window: PHONE })
  },
)
