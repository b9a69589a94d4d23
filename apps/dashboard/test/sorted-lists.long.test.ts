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
const ask = async (method: string, path: string, body?: object) =>
  (await service.call(method, path, body, { cookie })).body.data
const [{ id }] = await ask('GET', '/api/programs')
const payout = await ask('POST', `/api/programs/${id}/payouts`)
await ask('POST', `/api/programs/${id}/api-keys`, { name: 'Server' })
const path = (rest: string) => `/programs/${id}${rest}`

/** A column of each list, and what the address says once it was pressed. */
const LISTS: [title: string, path: string, column: string, sort: string][] = [
  ['Customers', '/customers', 'First click', 'firstClickedAt'],
  ['Sales', '/sales', 'Amount', '-amountCents'],
  ['Partners', '/partners', 'Sales', '-sales'],
  ['Links', '/links', 'Last click', '-lastClicked'],
  ['Commissions', '/commissions', 'Amount', '-amountCents'],
  ['Payouts', '/payouts', 'Payable', '-payableCents'],
  ['Payouts', '/payouts?view=payouts', 'Lines', '-lineCount'],
  [`Payout ${payout.id}`, `/payouts/${payout.id}`, 'Amount', '-amountCents'],
  ['API keys', '/settings/api-keys', 'Name', '-name'],
  ['Team', '/settings/team', 'Role', '-role'],
  ['Audit log', '/settings/audit', 'Action', '-action'],
]

describe('a heading sorts, the address says so, and the list that comes is the one that the address names', () => {
  const tour = givenTour(service, '/account', { as: service.demo })
  test.each(LISTS)('%s (%s)', (title, rest, column, sort) =>
    tour.open({ path: path(rest), title }, async (page) => {
      await untilLoaded(page, title)
      const asked = page.waitForRequest((request) => request.url().includes(`sort=${encodeURIComponent(sort)}`))
      await page.getByRole('columnheader', { name: column }).getByRole('button').first().click()
      await asked
      await page.waitForURL((url) => url.searchParams.get('sort') === sort)
      const way = sort.startsWith('-') ? 'descending' : 'ascending'
      await page
        .getByRole('columnheader', { name: column })
        .and(page.locator(`[aria-sort=${way}]`))
        .waitFor()
    }))
})

test('largest first is largest first, and the second press turns it round', () =>
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

test('a phone has no headings, and sorts by a list of them', () =>
  visit(
    service,
    path('/sales'),
    async (page) => {
      await untilLoaded(page, 'Sales')
      await page.getByLabel('Sort by').selectOption('-amountCents')
      await page.waitForURL(/sort=-amountCents/)
    },
    { as: service.demo, window: PHONE },
  ))

describe('the name of a partner leads to the partner', () => {
  const tour = givenTour(service, '/account', { as: service.demo })
  test.each([
    ['Customers', '/customers'],
    ['Sales', '/sales?state=credited'],
    ['Events', '/events'],
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

test('the list of payouts asks once for all its sums', () =>
  visit(
    service,
    path('/payouts?view=payouts'),
    async (page) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.reload()
      await untilLoaded(page, 'Payouts')
      await page.getByRole('row', { name: /Payout \d+ .* \$/ }).waitFor()
      expect(asked.filter((address) => /\/payouts\/\d+$/.test(address))).toEqual([])
    },
    { as: service.demo },
  ))
