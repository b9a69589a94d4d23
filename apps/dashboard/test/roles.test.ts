import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser, type User } from '../../server/test/support/given.ts'
import { givenRole } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { press } from './support/press.ts'
import { givenProcessorEvents, givenStory } from './support/story.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const story = await givenStory(service)
await givenProcessorEvents(story)

const accountOf = ({ email }: User) => ({ email, password: 'a long password' })
const as = async (role: string) => {
  const user = await givenUser(service)
  await givenRole(service, story.workspaceId, user, role)
  return accountOf(user)
}
const partner = `/partners/${story.link.partnerId}`

test.skipIf(!isLongRun)('a member sees who can change the processor, and no form that would be refused', async () => {
  const member = await as('member')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Processor')
    await page.getByText('Only owners and admins can change this connection').waitFor()
    for (const name of ['Replay events', 'Disconnect', 'Rotate the secret'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    await expectAccessibleAgain(page)
    await expectNoSidewaysScroll(page)
  }
  await visit(service, `${story.path}/processor`, act, { as: member, window: PHONE })
})

test.skipIf(!isLongRun)('a viewer reads why the raw event is redacted; an owner reads it whole', async () => {
  const note = 'Text that may be personal is redacted for your role'
  const path = `${story.path}/processor?reason=payment_recorded`
  const open = async (page: Page) => {
    await press(page, 'checkout.session.completed')
    await page.getByRole('dialog').getByText('"checkout.session.completed"').waitFor()
  }
  const asViewer = async (page: Page) => {
    await open(page)
    await page.getByRole('dialog').getByText(note).waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, path, asViewer, { as: await as('viewer') })
  const asOwner = async (page: Page) => {
    await open(page)
    expect(await page.getByText(note).count()).toBe(0)
  }
  await visit(service, path, asOwner, { as: story.account })
})

test.skipIf(!isLongRun)('a member cannot choose the address of a partner', async () => {
  const asMember = async (page: Page) => {
    await press(page, 'Invite to the portal')
    await page.getByRole('dialog').getByText('has no e-mail address').waitFor()
    expect(await page.getByLabel('E-mail').count()).toBe(0)
    await expectAccessibleAgain(page)
  }
  await visit(service, story.path + partner, asMember, { as: await as('member') })
})

test('an owner removes the sign-in of a partner after a question', async () => {
  const api = `${story.api}${partner}`
  const invited = await story.owner.call('POST', `${api}/invite`, { email: 'maya@partners.example' })
  const id = invited.body.data.url.split('/').at(-1)
  const body = { name: 'Maya', password: 'a long password' }
  expect((await service.call('POST', `/api/public/partner-invitations/${id}/sign-up`, body)).status).toBe(200)
  const asOwner = async (page: Page) => {
    await press(page, 'Remove sign-in')
    await expectAccessibleAgain(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove sign-in' }).click()
    await page.getByText('no portal account').waitFor()
  }
  await visit(service, story.path + partner, asOwner, { as: story.account })
  expect((await story.owner.call('GET', api)).body.data.hasAccount).toBe(false)
})

test('a call that is refused as too many says when to try again', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    await page.route(/\/links\?/, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '17' },
        json: { success: false, error: { code: 'rate_limited', message: 'x', request_id: 'r' } },
      }),
    )
    await page.getByRole('link', { name: 'Links' }).first().click()
    await page.getByText('Too many requests in a short time. Try again in 17 seconds.').waitFor()
  }
  await visit(service, `${story.path}/partners`, act, { as: story.account, expectedErrors: /status of 429/ })
})

test.skipIf(!isLongRun)(
  'a member changes the name of a program, and sees who can change what decides money',
  async () => {
    const websites = ['https://shop.example']
    const before = (await story.owner.call('PATCH', story.api, { websites })).body.data
    const act = async (page: Page) => {
      await untilLoaded(page, 'Program')
      for (const label of ['Currency', 'Attribution window, in days', 'Attribution model', 'Lead authentication'])
        expect(await page.getByLabel(label, { exact: true }).isDisabled()).toBe(true)
      expect(await page.getByText('Only owners and admins can change this.').count()).toBe(4)
      await expectAccessibleAgain(page)
      await page.getByLabel('Name', { exact: true }).fill('Named by a member')
      await press(page, 'Save settings')
      await page.getByText('Settings saved.').waitFor()
    }
    await visit(service, `${story.path}/settings/program`, act, { as: await as('member') })
    expect((await story.owner.call('GET', story.api)).body.data).toEqual({ ...before, name: 'Named by a member' })
  },
)
