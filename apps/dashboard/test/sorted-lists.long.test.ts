import { describe, expect, test } from 'bun:test'
import { DESKTOP, PHONE } from './support/browser.ts'
import { givenDemoService } from './support/service.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

const service = await givenDemoService()
const signedIn = await service.call('POST', '/api/auth/sign-in/email', service.demo)
const cookie = signedIn.headers
  .getSetCookie()
  .map((line) => line.split(';')[0])
  .join('; ')
const request = async (method: string, path: string, body?: object) =>
  (await service.call(method, path, body, { cookie })).body.data
const [{ id }] = await request('GET', '/api/programs')
const payout = await request('POST', `/api/programs/${id}/payouts`)
await request('POST', `/api/programs/${id}/api-keys`, { name: 'Server' })
const path = (rest: string) => `/programs/${id}${rest}`

/** A column of each list, and the sort parameter after one click. */
const LISTS: [title: string, path: string, column: string, sort: string][] = [
  ['Customers', '/sales/customers', 'First click', 'firstClickedAt'],
  ['Sales', '/sales', 'Amount', '-amountCents'],
  ['Partners', '/partners', 'Sales', '-sales'],
  ['Links', '/links', 'Last click', '-lastClicked'],
  ['Commissions', '/commissions', 'Amount', '-amountCents'],
  ['Payouts', '/payouts', 'Payable', '-payableCents'],
  ['Payouts', '/payouts?view=payouts', 'Payments', '-lineCount'],
  [`Payout ${payout.id}`, `/payouts/${payout.id}`, 'Amount', '-amountCents'],
  ['API keys', '/settings/api-keys', 'Name', '-name'],
  ['Team', '/settings/team', 'Role', '-role'],
  ['Audit log', '/settings/audit-log', 'Action', '-action'],
]

describe('a column header sorts the list and updates the URL', () => {
  const tour = givenTour(service, '/account', { as: service.demo })
  test.each(LISTS)('%s (%s)', (title, rest, column, sort) =>
    tour.open({ path: path(rest), title }, async (page) => {
      await untilLoaded(page, title)
      const sorted = page.waitForRequest((request) => request.url().includes(`sort=${encodeURIComponent(sort)}`))
      await page.getByRole('columnheader', { name: column }).getByRole('button').first().click()
      await sorted
      await page.waitForURL((url) => url.searchParams.get('sort') === sort)
      const direction = sort.startsWith('-') ? 'descending' : 'ascending'
      await page
        .getByRole('columnheader', { name: column })
        .and(page.locator(`[aria-sort=${direction}]`))
        .waitFor()
    }))
})

test('sorting is descending first, then ascending', () =>
  visit(
    service,
    path('/commissions'),
    async (page) => {
      await untilLoaded(page, 'Commissions')
      const amounts = async () => {
        await page.waitForFunction(() => document.querySelector('[aria-busy]') === null)
        const cells = await page.locator('tbody tr td:nth-last-child(2) .font-medium').allInnerTexts()
        return cells.map((text) => Number(text.replace(/[^\d.]/g, '')))
      }
      const press = async (sort: string) => {
        await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click()
        await page.waitForURL((url) => url.searchParams.get('sort') === sort)
        await page.locator('tbody tr').first().waitFor()
        return amounts()
      }
      const largest = await press('-amountCents')
      expect(largest).toEqual(largest.toSorted((a, b) => b - a))
      const smallest = await press('amountCents')
      expect(smallest).toEqual(smallest.toSorted((a, b) => a - b))
      expect(largest[0]).toBeGreaterThan(smallest[0] ?? 0)
    },
    { as: service.demo, window: DESKTOP },
  ))

test('a phone sorts by a select instead of column headers', () =>
  visit(
    service,
    path('/sales'),
    async (page) => {
      await untilLoaded(page, 'Sales')
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByLabel('Sort by').selectOption('-amountCents')
      await page.waitForURL(/sort=-amountCents/)
    },
    { as: service.demo, window: PHONE },
  ))

describe('partner names link to the partner', () => {
  const tour = givenTour(service, '/account', { as: service.demo })
  test.each([
    ['Customers', '/sales/customers'],
    ['Sales', '/sales?state=credited'],
    ['Events', '/sales/events'],
    ['Commissions', '/commissions'],
    ['Links', '/links'],
  ])('%s', (title, rest) =>
    tour.open({ path: path(rest), title }, async (page) => {
      await untilLoaded(page, title)
      await page.locator('tbody a[href*="/partners/"]').first().click()
      await page.waitForURL(/\/partners\/\d+$/)
      await page.getByText('Latest commissions').waitFor()
    }))
})

test('the payout list loads all totals with one request', () =>
  visit(
    service,
    path('/payouts?view=payouts'),
    async (page) => {
      const paths: string[] = []
      page.on('request', (request) => paths.push(new URL(request.url()).pathname))
      await page.reload()
      await untilLoaded(page, 'Payouts')
      await page
        .getByRole('row', { name: /Payout \d+ .* \$/ })
        .first()
        .waitFor()
      expect(paths.filter((path) => /\/payouts\/\d+$/.test(path))).toEqual([])
    },
    { as: service.demo },
  ))
