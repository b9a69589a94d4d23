import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/lifecycle/given-service.ts'
import { unique } from '../../server/test/support/given.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()

test('an API key is shown once, works, and is refused within 5 s of its revocation', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'API keys')
    await press(page, 'New key')
    await page.getByLabel('Name').fill('Production')
    await press(page, 'Create key')
    const key = await page.getByTestId('secret').innerText()
    expect(key).toMatch(/^trk_/)
    const headers = { authorization: `Bearer ${key}` }
    const sale = () => service.call('POST', '/api/v1/track/sale', { additional_data: { test_mode: true } }, headers)
    expect((await sale()).status).toBe(200)
    await press(page, 'I have stored it')
    await page.getByRole('cell', { name: 'Production', exact: true }).waitFor()
    expect(await page.content()).not.toContain(key)

    await press(page, 'Revoke Production')
    await press(page, 'Revoke key')
    await page.getByText('Production was revoked.').waitFor()
    await page.getByRole('cell', { name: 'Revoked' }).waitFor()
    await until(async () => (await sale()).status === 401, 5_000)
  }
  await visit(service, `${owner.path}/settings/api-keys`, act, { as: owner.account })
})

test.skipIf(!isLongRun)(
  'a partner is suspended only after a question, their links with them, and can be approved again',
  async () => {
    const owner = await givenOwner(service)
    const [{ id: partnerId }] = (await owner.call('GET', `/api${owner.path}/partners`)).body.data
    await owner.create(`/api${owner.path}/links`, { partnerId, aff: unique('aff') })
    const act = async (page: Page) => {
      await press(page, 'Actions for Maya Lindqvist')
      await page.getByRole('menuitem', { name: 'Suspend' }).click()
      await page.getByRole('alertdialog').getByText('Their links stop working').waitFor()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend partner' }).click()
      await page.getByRole('cell', { name: 'Suspended' }).waitFor()
      await page.getByRole('button', { name: /^Maya Lindqvist/ }).click()
      await page.getByText('Off: partner suspended').waitFor()
      await page.getByRole('link', { name: 'View all links' }).click()
      await page.getByRole('cell', { name: 'Off: partner suspended' }).waitFor()
      await page.goto(`${service.url}${owner.path}/links`)
      await page.getByRole('cell', { name: 'Off: partner suspended' }).waitFor()
      await page.goto(`${service.url}${owner.path}/partners`)
      await press(page, 'Actions for Maya Lindqvist')
      await page.getByRole('menuitem', { name: 'Approve again' }).click()
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
  await page.getByLabel('Your name').fill('Viv')
  await page.getByLabel('Password').fill('another long password')
  await press(page, 'Create account and join')
}

test('an invited viewer joins and looks on, without keys or anything that changes something; then the link is over', async () => {
  const { owner, id } = await givenInvitation('viewer')
  await visit(service, `/invite/${id}`, async (page) => {
    await page.getByRole('heading', { name: /^Join workspace/ }).waitFor()
    await join(page)
    await untilLoaded(page, 'Overview')
    expect(new URL(page.url()).pathname).toBe(owner.path)
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Partners' }).click()
    await page.getByRole('cell', { name: /^Maya/ }).waitFor()
    expect(await page.getByRole('button', { name: /Add partner|Actions for/ }).count()).toBe(0)
  })
  const seeThatItIsOver = async (page: Page) => {
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  }
  await visit(service, `/invite/${id}`, seeThatItIsOver, { expectedErrors: /status of 404/ })
})

test.skipIf(!isLongRun)('somebody of `billing` begins with the money, and is shown no tracking', async () => {
  const { id } = await givenInvitation('billing')
  await visit(service, `/invite/${id}`, async (page) => {
    await join(page)
    await untilLoaded(page, 'Commissions')
    for (const name of ['Overview', 'Events', 'Partners', 'Links', 'Set-up'])
      expect(await page.getByRole('navigation').getByRole('link', { name }).count()).toBe(0)
    await page.getByRole('link', { name: 'Payouts' }).click()
    await untilLoaded(page, 'Payouts')
  })
})
