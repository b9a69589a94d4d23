import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/lifecycle/given-service.ts'
import { unique } from '../../server/test/support/given.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

test('an API key is shown once, works, and is rejected within 5 s of its revocation', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'API keys')
    await press(page, 'Create key')
    await page.getByLabel('Name').fill('Production')
    await press(page, 'Create key')
    const key = await page.getByTestId('secret').innerText()
    expect(key).toMatch(/^trk_/)
    const headers = { authorization: `Bearer ${key}` }
    const sale = () => service.call('POST', '/api/v1/track/sale', { additional_data: { test_mode: true } }, headers)
    expect((await sale()).status).toBe(200)
    await press(page, 'Done')
    await page.getByRole('cell', { name: 'Production', exact: true }).waitFor()
    expect(await page.content()).not.toContain(key)

    await press(page, 'Revoke Production')
    await press(page, 'Revoke key')
    await page.getByText('Production revoked.').waitFor()
    await page.getByRole('cell', { name: 'Revoked' }).waitFor()
    await until(async () => (await sale()).status === 401, 5_000)
  }
  await visit(service, `${owner.path}/settings/api-keys`, act, { as: owner.account })
})

test.skipIf(!isLongRun)(
  'suspending a partner needs confirmation, turns off their links, and can be undone',
  async () => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      await press(page, 'Actions for Maya Lindqvist')
      await page.getByRole('menuitem', { name: 'Suspend' }).click()
      await page.getByRole('alertdialog').getByText('Their links still open your site').waitFor()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend partner' }).click()
      await page.getByRole('cell', { name: 'Suspended' }).waitFor()
      await page.getByRole('link', { name: /^Maya Lindqvist/ }).click()
      const links = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Links', exact: true }) })
      await links.getByRole('listitem').getByText('Partner suspended').waitFor()
      await page.getByRole('link', { name: 'View all links' }).click()
      await page.getByRole('cell', { name: 'Partner suspended' }).waitFor()
      await page.goto(`${service.url}${owner.path}/links`)
      await page.getByRole('cell', { name: 'Partner suspended' }).waitFor()
      await page.goto(`${service.url}${owner.path}/partners`)
      await press(page, 'Actions for Maya Lindqvist')
      await page.getByRole('menuitem', { name: 'Reinstate' }).click()
      await press(page, 'Reinstate partner')
      await page.getByRole('cell', { name: 'Approved' }).waitFor()
    }
    await visit(service, `${owner.path}/partners`, act, { as: owner.account })
  },
)

const givenInvitation = async (role: string) => {
  const owner = await givenOwner(service)
  const email = `${unique('invited')}@example.com`
  const { id } = await owner.create(`/api/workspaces/${owner.workspaceId}/invitations`, { email, role })
  return { owner, id: id as string }
}

const join = async (page: Page) => {
  await page.getByLabel('Name').fill('Viv')
  await page.getByLabel('Password').fill('another long password')
  await press(page, 'Create account and join')
}

test('an invited viewer joins without any actions or API keys, and the link stops working', async () => {
  const { owner, id } = await givenInvitation('viewer')
  await visit(service, `/invite/${id}`, async (page) => {
    await page.getByRole('heading', { name: /^Join workspace/ }).waitFor()
    await join(page)
    await untilLoaded(page, 'Overview')
    expect(new URL(page.url()).pathname).toBe(owner.path)
    await soon(async () => expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0))
    await page.getByRole('link', { name: 'Partners' }).click()
    await page.getByRole('cell', { name: /^Maya/ }).waitFor()
    await soon(async () => expect(await page.getByRole('button', { name: /Add partner|Actions for/ }).count()).toBe(0))
  })
  const expectInvalid = async (page: Page) => {
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  }
  await visit(service, `/invite/${id}`, expectInvalid, { expectedErrors: /status of 404/ })
})

test.skipIf(!isLongRun)('the billing role starts on commissions and sees no tracking', async () => {
  const { id } = await givenInvitation('billing')
  await visit(service, `/invite/${id}`, async (page) => {
    await join(page)
    await untilLoaded(page, 'Commissions')
    for (const name of ['Overview', 'Sales', 'Links', 'Setup'])
      await soon(async () => expect(await page.getByRole('navigation').getByRole('link', { name }).count()).toBe(0))
    await page.getByRole('link', { name: 'Payouts' }).click()
    await untilLoaded(page, 'Payouts')
  })
})
