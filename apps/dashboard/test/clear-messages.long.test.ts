import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun, sized } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { push } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const LISTS = [
  ['Events', 'events'],
  ['Sales', 'sales'],
] as const

test.each(
  LISTS.slice(0, sized({ short: 1, long: LISTS.length })),
)('a reversed date range of %s shows an error, and the last valid one stays', async (title, path) => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, title)
    await press(page, 'Filters')
    await page.getByRole('button', { name: 'Dates: Any time' }).click()
    const type = async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).fill(text)
      await page.keyboard.press('Enter')
    }
    await type('From', 'next week')
    await page.getByRole('alert').getByText('Enter a date such as 2026-03-14.').waitFor()
    await type('From', '2026-03-10')
    await page.waitForURL(/2026-03-10/)
    await type('To', '2026-03-01')
    await page.getByRole('alert').getByText('The start date must be on or before the end date').waitFor()
    await soon(async () =>
      expect(await page.getByLabel('To', { exact: true }).getAttribute('aria-invalid')).toBe('true'),
    )
    expect(page.url()).not.toContain('2026-03-01')
    await type('To', 'Mar 12, 2026')
    await page.waitForURL(/2026-03-12/)
    await soon(async () => expect(await page.getByRole('alert').count()).toBe(0))
  }
  await visit(service, `${owner.path}/${path}`, act, { as: owner.account })
})

test.skipIf(!isLongRun)('a reversed date range in the URL shows the error next to its fields too', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await press(page, 'Filters')
    await press(page, 'Dates: Not a valid range')
    await page.getByText('The start date must be on or before the end date.').waitFor()
  }
  const range = 'dateFrom=2026-03-10&dateTo=2026-03-01'
  await visit(service, `${owner.path}/sales?${range}`, act, { as: owner.account, expectedErrors: /400/ })
})

test('an invalid partner code says which characters are allowed', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    await press(page, 'Add partner')
    await page.getByLabel('Name').fill('Ben Okafor')
    await page.getByLabel('Link code').fill('ben & co')
    await page.getByRole('dialog').getByRole('button', { name: 'Add partner' }).click()
    const message = page.getByRole('alert').getByText('Must be 2 to 32 letters, digits, hyphens or underscores.')
    await message.waitFor()
    await page.getByLabel('Link code').fill('ben')
    await page.getByRole('dialog').getByRole('button', { name: 'Add partner' }).click()
    await page.getByRole('heading', { name: 'Ben Okafor added' }).waitFor()
  }
  await visit(service, `${owner.path}/partners`, act, { as: owner.account, expectedErrors: /400/ })
})

const MISSING = [
  ['sale', 'sales/987654', 'Sales'],
  ['customer', 'customers/nothing', 'Customers'],
  ['lead', 'leads/987654', 'Customers'],
  ['payout', 'payouts/987654', 'Payouts'],
  ['partner', 'partners/987654', 'Partners'],
  ['sale', 'sales/abc', 'Sales'],
] as const

test('a missing record says so and links back to its list', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    for (const [noun, path, list] of sized({ short: MISSING.slice(0, 2), long: [...MISSING] })) {
      await push(page, `${owner.path}/${path}`)
      await page.getByRole('heading', { name: `This ${noun} does not exist` }).waitFor()
      await page.getByRole('link', { name: `Go to ${list.toLowerCase()}` }).click()
      await untilLoaded(page, list)
    }
  }
  await visit(service, `${owner.path}/links`, act, { as: owner.account, expectedErrors: /404/ })
})

test.skipIf(!isLongRun)('an expired session asks to sign in and keeps the page', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    await page.context().clearCookies()
    // Not by a click: the page's own requests may have opened the dialog already.
    await push(page, `${owner.path}/links`)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended. Sign in again.' })
    await dialog.getByLabel('Password').fill('not the password')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Password').fill(owner.account.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    await untilLoaded(page, 'Links')
    expect(new URL(page.url()).pathname).toBe(`${owner.path}/links`)
  }
  await visit(service, `${owner.path}/partners`, act, { as: owner.account, expectedErrors: /401/ })
})
