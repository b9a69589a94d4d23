import { describe, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenRole } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenStory } from './support/story.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const story = await givenStory(service)

test('filters, order and page of a list are in its address', () =>
  visit(
    service,
    `${story.path}/sales`,
    async (page) => {
      await page.getByRole('button', { name: 'Not credited' }).click()
      await page.waitForURL(/state=uncredited/)
      await page.getByText('1 sale').waitFor()
      await page.getByRole('button', { name: 'Amount' }).click()
      await page.waitForURL(/sort=-amountCents/)
      await page.getByRole('columnheader', { name: 'Amount' }).and(page.locator('[aria-sort=descending]')).waitFor()
      await page.getByRole('searchbox').fill('INV-1')
      await page.keyboard.press('Enter')
      await page.getByText('No sale found').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('cell', { name: /^INV-1/ }).waitFor()
    },
    { as: story.account },
  ))

describe('what is unknown says so', () => {
  const tour = givenTour(service, '/account', { as: story.account, expectedErrors: /status of 404/ })
  test.each([
    ['sale', '/sales/999999'],
    ['sign-up', '/leads/999999'],
    ['customer', '/customers/1_nothing'],
  ])('%s', (what, path) => {
    const title = `This ${what} does not exist`
    return tour.open({ path: story.path + path, title }, async (page) => {
      await page.getByRole('heading', { name: title }).waitFor()
    })
  })
})

test('a viewer looks at the processor and changes nothing; `billing` sees none of it', async () => {
  const viewer = await givenUser(service)
  await givenRole(service, story.workspaceId, viewer, 'viewer')
  const look = async (page: Page) => {
    await untilLoaded(page, 'Processor')
    for (const name of ['Replay events', 'Disconnect', 'Rotate the secret', 'Store'])
      await page.getByRole('button', { name }).waitFor({ state: 'detached' })
  }
  const as = ({ email }: { email: string }) => ({ email, password: 'a long password' })
  await visit(service, `${story.path}/processor`, look, { as: as(viewer) })

  const billing = await givenUser(service)
  await givenRole(service, story.workspaceId, billing, 'billing')
  const refused = async (page: Page) => {
    await page.getByText('You may not see this').waitFor()
    for (const name of ['Customers', 'Sales', 'Why not?', 'Processor'])
      await page.getByRole('navigation').getByRole('link', { name }).waitFor({ state: 'detached' })
  }
  await visit(service, `${story.path}/customers`, refused, { as: as(billing), expectedErrors: /status of 403/ })
})
