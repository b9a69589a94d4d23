import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { DESKTOP } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { press } from './support/press.ts'
import { givenScenario } from './support/scenario.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService({}, { tampers: true })
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }
const accountOf = ({ email }: { email: string }) => ({ email })

test.skipIf(!isLongRun)('a rejected lead setting shows its error at the field', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Tracking')
    await page.route(/\/api\/programs\/\d+$/, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 400,
            json: { error: { code: 'invalid_request', message: 'leadAuth must wait.', field: 'leadAuth' } },
          })
        : route.continue(),
    )
    await page.getByLabel('Leads are reported by').selectOption('browser_allowed')
    await press(page, 'Save settings')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').allInnerTexts()).toEqual(['Must wait.'])
  }
  await visit(service, `${owner.path}/settings/tracking`, act, { as: owner.account, expectedErrors: /400/ })
})

test.skipIf(!isLongRun)('a reversed date range in the URL shows one error and can be cleared', async () => {
  const owner = await givenOwner(service)
  const range = 'dateFrom=2026-03-10&dateTo=2026-03-01'
  const options = { as: owner.account, expectedErrors: /400/ }
  const act = (title: string) => async (page: Page) => {
    await untilLoaded(page, title)
    await page.getByText('The start date is after the end date', { exact: true }).waitFor()
    await soon(async () => expect(await page.getByText(/dateFrom|dateTo/).count()).toBe(0))
    await soon(async () => expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0))
    await page.getByRole('button', { name: 'Clear dates' }).click()
    await page.getByText('The start date is after the end date').first().waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('2026-03')
  }
  await visit(service, `${owner.path}/sales?${range}`, act('Sales'), options)
  await visit(service, `${owner.path}?${range}`, act('Overview'), options)
})

test('times are in the program’s time zone, and name it if the browser’s differs', async () => {
  const program = await givenPayingProgram(service, REWARD, { timezone: 'Asia/Tokyo' })
  const sale = await givenSale(program, 10_000)
  const night = new Date('2026-05-01T20:30:00Z')
  await service.pool.query('UPDATE sales SET sold_at = $1 WHERE id = $2', [night, sale.sale_id])
  const elsewhere = { ...DESKTOP, timezoneId: 'America/New_York' }
  const path = `/programs/${program.id}`
  const act = async (page: Page) => {
    await page.getByText('May 2, 2026, 5:30 AM GMT+9').first().waitFor()
    await push(page, path)
    await untilLoaded(page, 'Overview')
    await page.getByRole('button', { name: /^Period/ }).click()
    await page.getByText('Times are in Asia/Tokyo.').waitFor()
  }
  const as = accountOf(program.owner)
  await visit(service, `${path}/sales/${sale.sale_id}`, act, { as, window: elsewhere })
  const atHome = async (page: Page) => {
    await page.getByText('May 2, 2026, 5:30 AM', { exact: true }).first().waitFor()
  }
  const home = { ...DESKTOP, timezoneId: 'Asia/Tokyo' }
  await visit(service, `${path}/sales/${sale.sale_id}`, atHome, { as, window: home })

  const partner = await givenPartnerAccount(service, program)
  const inPortal = async (page: Page) => {
    await page.getByText('May 2, 2026, 5:30 AM GMT+9').filter({ visible: true }).first().waitFor()
  }
  await visit(service, `/portal/${program.id}/sales`, inPortal, { as: partner, window: elsewhere })
})

test.skipIf(!isLongRun)('the sale page shows no internal codes', async () => {
  const scenario = await givenScenario(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Sale INV-1')
    await page.getByText('Facts behind this decision').first().waitFor()
    const text = await page.locator('main').innerText()
    expect(text.match(/\b[a-z]+_[a-z_]+\b/g)?.filter((code) => code !== 'user_1') ?? []).toEqual([])
    expect(text).not.toContain('attribute-sale')
  }
  await visit(service, `${scenario.path}/sales/${scenario.saleId}`, act, { as: scenario.account })
})

test.skipIf(!isLongRun)('an archived partner has a badge in every list', async () => {
  const program = await givenPayingProgram(service, REWARD)
  const { partnerId } = program.link
  await givenSale(program, 10_000)
  const payout = await program.pay()
  await givenSale(program, 20_000)
  await program.owner.call('PATCH', `${program.api}/partners/${partnerId}`, { archived: true })
  const path = `/programs/${program.id}`
  const act = async (page: Page) => {
    for (const [title, list] of [
      ['Sales', '/sales'],
      ['Customers', '/sales/customers'],
      ['Payouts', '/payouts'],
      [`Payout ${payout.id}`, `/payouts/${payout.id}`],
      ['Events', '/sales/events'],
      ['Commissions', '/commissions'],
    ] as const) {
      await push(page, path + list)
      await untilLoaded(page, title)
      await page.getByText('Archived', { exact: true }).filter({ visible: true }).first().waitFor()
    }
    await press(page, /^Partner: /)
    await page.getByRole('option', { name: /Archived/ }).waitFor()
  }
  await visit(service, `${path}/links`, act, { as: accountOf(program.owner) })
})
