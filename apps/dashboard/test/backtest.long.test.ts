import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenClick, givenLink, unique } from '../../server/test/support/given.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenEarned } from './support/earning.ts'
import { expectCleanLayout } from './support/looks.ts'
import { row } from './support/money.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const COMPARE = 'Test on the last 90 days'
const figure = (page: Page, label: string) =>
  page.locator('[aria-label="Comparison in USD"] > dl > div').filter({ has: page.getByText(label, { exact: true }) })

/** The chart's code loads with the first chart. */
const untilBars = async (page: Page, count: number) => {
  const bars = page.locator('[aria-label="Comparison in USD"] .recharts-bar-rectangle path')
  await bars.first().waitFor()
  await soon(async () => expect(await bars.count()).toBe(count))
}

test('unsaved terms are compared with actual commissions in totals, a chart, a table and a file', async () => {
  const { owner, partnerId } = await givenEarned(service, 10_000, 5_000)
  await owner.call('PATCH', `/api${owner.path}/partners/${partnerId}`, { name: '=1+1 Media' })
  await givenOther(owner, { amount: 2_000 })
  await givenOther(owner, { amount: 3_000, currency: 'EUR' })
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    await page.getByText('Testing does not save or change anything.').waitFor()
    await page.getByLabel('Percentage').fill('20')
    await press(page, COMPARE)
    await figure(page, 'Earned').getByText('$17.00').waitFor()
    await figure(page, 'Would have earned').getByText('$34.00').waitFor()
    await soon(async () =>
      expect(await figure(page, 'Difference').innerText()).toMatch(/\+\$17\.00\s+\+100% vs earned/),
    )
    await page.getByText('20% of every sale', { exact: true }).waitFor()
    const table = page.getByRole('table', { name: 'Comparison by partner, USD' })
    await soon(async () =>
      expect(await row(page, '=1.1 Media').innerText()).toMatch(/\$15\.00\s+\$30\.00\s+\+\$15\.00/),
    )
    const first = table.locator('tbody tr').first()
    await first.getByText('=1+1 Media').waitFor()
    await table.getByRole('button', { name: 'Difference' }).click()
    await table.getByRole('button', { name: 'Difference' }).click()
    await first.getByText('Partner', { exact: true }).waitFor()
    await untilBars(page, 4)
    await page.getByRole('heading', { name: 'EUR' }).waitFor()
    await page.getByRole('table', { name: 'Comparison by partner, EUR' }).getByText('+€3.00').waitFor()

    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')])
    expect(file.suggestedFilename()).toMatch(/^backtest-[\d-]{10}-to-[\d-]{10}\.csv$/)
    const lines = (await Bun.file(await file.path()).text()).split('\r\n')
    expect(lines[0]).toBe('partner_id,partner,currency,earned,would_have_earned,difference')
    expect(lines[1]).toEndWith(',Partner,EUR,3.00,6.00,3.00')
    expect(lines[2]).toBe(`${partnerId},'=1+1 Media,USD,15.00,30.00,15.00`)
    await expectCleanLayout(page)

    await page.getByLabel('Percentage').fill('25')
    await page.getByText('The terms above have changed.').waitFor()
    await page.getByLabel('Percentage').fill('10')
    await press(page, COMPARE)
    await figure(page, 'Difference').getByText('$0.00').waitFor()
    await page.getByLabel('Comparison in EUR').getByText('€0.00').first().waitFor()
    expect((await owner.call('GET', `/api${owner.path}/reward`)).body.data).toMatchObject({
      version: 1,
      sale: { percentBps: 1_000 },
    })
  }
  await visit(service, `${owner.path}/settings/rewards`, act, { as: owner.account })
})

/** A sale of another partner. */
const givenOther = async (
  owner: Awaited<ReturnType<typeof givenOwner>>,
  sale: { amount: number; currency?: string },
) => {
  const programId = Number(owner.path.split('/').at(-1))
  const link = await givenLink(service, programId)
  const { key } = await owner.create(`/api${owner.path}/api-keys`, { name: 'Other' })
  const keyed = (path: string, body: object) => service.call('POST', path, body, { authorization: `Bearer ${key}` })
  const customer_key = unique('customer')
  await keyed('/api/v1/track/lead', { customer_key, click_id: await givenClick(service, link) })
  const sold = await keyed('/api/v1/track/sale', { customer_key, invoice_id: unique('invoice'), ...sale })
  expect(sold.status).toBe(200)
}

test('a comparison can be empty, incomplete, cancelled or rejected, and says so', async () => {
  const owner = await givenOwner(service)
  const isBacktest = ({ pathname }: URL) => pathname.endsWith('/reward/backtest')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    await press(page, 'Percentage')
    await page.getByLabel('Percentage').fill('')
    await press(page, COMPARE)
    expect(await page.getByLabel('Percentage').evaluate((field) => field === document.activeElement)).toBe(true)
    await soon(async () => expect(await page.getByRole('button', { name: 'Cancel test' }).count()).toBe(0))

    await page.getByLabel('Percentage').fill('20')
    await press(page, COMPARE)
    await page.getByRole('heading', { name: 'No leads or sales to compare' }).waitFor()

    await page.route(isBacktest, () => {})
    await press(page, COMPARE)
    await page.getByText('Counting customers…').waitFor()
    await press(page, 'Cancel test')
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    await soon(async () => expect(await page.getByRole('alert').count()).toBe(0))
    // The same button keeps the focus.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(COMPARE)

    await page.unroute(isBacktest)
    await page.route(isBacktest, (route) =>
      route.fulfill({ status: 418, json: { error: { code: 'overloaded', message: 'Too many comparisons.' } } }),
    )
    await press(page, COMPARE)
    await page.getByRole('alert').getByText('Too many comparisons.').waitFor()
    await page.unroute(isBacktest)
    const stream = 'event: progress\ndata: {"done":1,"total":2}\n\n'
    await page.route(isBacktest, (route) => route.fulfill({ contentType: 'text/event-stream', body: stream }))
    await press(page, COMPARE)
    await page.getByRole('alert').getByText('The comparison was interrupted.').waitFor()
    await page.unroute(isBacktest)
  }
  await visit(service, `${owner.path}/settings/rewards`, act, {
    as: owner.account,
    // The preview is rejected while the percentage is missing.
    expectedErrors: /status of (400|418)/,
  })
})

test('with many partners the chart shows the top ten and groups the others, and the table has pages', async () => {
  const owner = await givenOwner(service)
  const partners = Array.from({ length: 30 }, (_, index) => ({
    partnerId: index + 1,
    partnerName: `Partner ${index + 1} with a rather long name`,
    partnerArchived: false,
    actualCents: 100_000 - index,
    proposedCents: 50_000,
    differenceCents: index - 50_000,
  }))
  const totals = { actualCents: 2_999_565, proposedCents: 1_500_000, differenceCents: -1_499_565 }
  const result = { data: [{ currency: 'USD', partners, totals }] }
  const body = `: comparing\n\nevent: progress\ndata: {"done":9,"total":9}\n\nevent: result\ndata: ${JSON.stringify(result)}\n\n`
  const act = async (page: Page) => {
    await untilLoaded(page, 'Rewards')
    await page.route('**/reward/backtest', (route) => route.fulfill({ contentType: 'text/event-stream', body }))
    await press(page, COMPARE)
    await soon(async () =>
      expect(await figure(page, 'Difference').innerText()).toMatch(/-\$14,995\.65 -50\.0% vs earned/),
    )
    await page.getByText('20 others').waitFor()
    await untilBars(page, 22)
    await page.getByText('1–25 of 30 partners').waitFor()
    await press(page, 'Next')
    await row(page, 'Partner 26 ').waitFor()
    await expectCleanLayout(page)
    await page.unroute('**/reward/backtest')
  }
  await visit(service, `${owner.path}/settings/rewards`, act, { as: owner.account })
})
