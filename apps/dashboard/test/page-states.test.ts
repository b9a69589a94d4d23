import { test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenRole } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenStory } from './support/story.ts'
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
      await page.getByRole('searchbox').fill('INV-1')
      await page.keyboard.press('Enter')
      await page.getByText('No sale found').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('cell', { name: /^INV-1/ }).waitFor()
    },
    { as: story.account },
  ))

test('an unknown sale, sign-up or customer says so', async () => {
  for (const path of ['/sales/999999', '/leads/999999', '/customers/1_nothing']) {
    const act = async (page: Page) => {
      await page.getByRole('heading', { name: /does not exist$/ }).waitFor()
    }
    await visit(service, story.path + path, act, { as: story.account, expectedErrors: /status of 404/ })
  }
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
