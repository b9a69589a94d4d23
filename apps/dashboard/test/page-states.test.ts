import { describe, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenRole } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenScenario } from './support/scenario.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const scenario = await givenScenario(service)

test('a list keeps its filters, sort order and page in the URL', () =>
  visit(
    service,
    `${scenario.path}/sales`,
    async (page) => {
      await page.getByRole('button', { name: 'Not credited' }).click()
      await page.waitForURL(/state=uncredited/)
      await page.getByText('1 sale').waitFor()
      await page.getByRole('button', { name: 'Amount' }).click()
      await page.waitForURL(/sort=-amountCents/)
      await page.getByRole('columnheader', { name: 'Amount' }).and(page.locator('[aria-sort=descending]')).waitFor()
      await page.getByRole('searchbox').fill('INV-1')
      await page.keyboard.press('Enter')
      await page.getByText('No sales found').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('cell', { name: /^INV-1/ }).waitFor()
    },
    { as: scenario.account },
  ))

describe('an unknown record says so', () => {
  const tour = givenTour(service, '/account', { as: scenario.account, expectedErrors: /status of 404/ })
  test.each([
    ['sale', '/sales/999999'],
    ['lead', '/sales/leads/999999'],
    ['customer', '/sales/customers/1_nothing'],
  ])('%s', (noun, path) => {
    const title = `This ${noun} does not exist`
    return tour.open({ path: scenario.path + path, title }, async (page) => {
      await page.getByRole('heading', { name: title }).waitFor()
    })
  })
})

test.skipIf(!isLongRun)(
  'a viewer sees the payment processor without actions; the billing role has no access',
  async () => {
    const viewer = await givenUser(service)
    await givenRole(service, scenario.workspaceId, viewer, 'viewer')
    const look = async (page: Page) => {
      await untilLoaded(page, 'Payment processors')
      for (const name of ['Disconnect', 'Rotate secret', 'Save'])
        await page.getByRole('button', { name }).waitFor({ state: 'detached' })
    }
    const as = ({ email }: { email: string }) => ({ email })
    await visit(service, `${scenario.path}/settings/payment-processors`, look, { as: as(viewer) })

    const billing = await givenUser(service)
    await givenRole(service, scenario.workspaceId, billing, 'billing')
    const expectNoAccess = async (page: Page) => {
      await page.getByText('You don’t have access').waitFor()
      for (const name of ['Sales', 'Links', 'Analytics'])
        await page.getByRole('navigation').getByRole('link', { name }).waitFor({ state: 'detached' })
    }
    await visit(service, `${scenario.path}/sales/customers`, expectNoAccess, {
      as: as(billing),
      expectedErrors: /status of 403/,
    })
  },
)
