import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser, type User } from '../../server/test/support/given.ts'
import { givenRole } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { choose, press } from './support/press.ts'
import { givenProcessorEvents, givenScenario } from './support/scenario.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const scenario = await givenScenario(service)
await givenProcessorEvents(scenario)

const accountOf = ({ email }: User) => ({ email })
const as = async (role: string) => {
  const user = await givenUser(service)
  await givenRole(service, scenario.workspaceId, user, role)
  return accountOf(user)
}
const partner = `/partners/${scenario.link.partnerId}`

test.skipIf(!isLongRun)('a member sees who can change the payment processor, but no form', async () => {
  const member = await as('member')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Payment processors')
    await page.getByText('Only owners and admins can change this connection').waitFor()
    for (const name of ['Disconnect', 'Rotate secret'])
      await soon(async () => expect(await page.getByRole('button', { name }).count()).toBe(0))
    await expectAccessibleAgain(page)
    await expectNoSidewaysScroll(page)
  }
  await visit(service, `${scenario.path}/settings/payment-processors`, act, { as: member, window: PHONE })
})

test.skipIf(!isLongRun)('a viewer sees why the raw event is redacted; an owner sees all of it', async () => {
  const note = 'Personal data is redacted for your role'
  const path = `${scenario.path}/settings/events-received?reason=payment_recorded`
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
    await soon(async () => expect(await page.getByText(note).count()).toBe(0))
  }
  await visit(service, path, asOwner, { as: scenario.account })
})

test.skipIf(!isLongRun)('a member cannot choose a partner’s email', async () => {
  const asMember = async (page: Page) => {
    await press(page, 'Invite to portal')
    await page.getByRole('dialog').getByText('has no email address').waitFor()
    await soon(async () => expect(await page.getByLabel('Email').count()).toBe(0))
    await expectAccessibleAgain(page)
  }
  await visit(service, scenario.path + partner, asMember, { as: await as('member') })
})

test('an owner can remove a partner’s portal access after confirming', async () => {
  const api = `${scenario.api}${partner}`
  const invited = await scenario.owner.call('POST', `${api}/invite`, { email: 'maya@partners.example' })
  const id = invited.body.data.url.split('/').at(-1)
  const body = { name: 'Maya', password: 'a long password' }
  expect((await service.call('POST', `/api/public/partner-invitations/${id}/sign-up`, body)).status).toBe(200)
  const asOwner = async (page: Page) => {
    await choose(page, 'Actions for', 'Remove portal access')
    await expectAccessibleAgain(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove portal access' }).click()
    await page.getByText('No portal access').waitFor()
  }
  await visit(service, scenario.path + partner, asOwner, { as: scenario.account })
  expect((await scenario.owner.call('GET', api)).body.data.hasAccount).toBe(false)
})

test('a rate-limited call says when to retry', async () => {
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
    await page.getByText('Too many requests. Try again in 17 seconds.').waitFor()
  }
  await visit(service, `${scenario.path}/partners`, act, { as: scenario.account, expectedErrors: /status of 429/ })
})

const expectLocked = async (page: Page, labels: string[]) => {
  for (const label of labels)
    await soon(async () => expect(await page.getByLabel(label, { exact: true }).isDisabled()).toBe(true))
  const notes = page.getByText('Only owners and admins can change this.')
  await soon(async () => expect(await notes.count()).toBe(labels.length))
}

test.skipIf(!isLongRun)(
  'a member can rename a program, and sees who can change settings that affect money',
  async () => {
    const websites = ['https://shop.example']
    const before = (await scenario.owner.call('PATCH', scenario.api, { websites })).body.data
    const act = async (page: Page) => {
      await untilLoaded(page, 'Details')
      await expectLocked(page, ['Currency'])
      await expectAccessibleAgain(page)
      await page.getByLabel('Name', { exact: true }).fill('Named by a member')
      await press(page, 'Save settings')
      await page.getByText('Settings saved.').waitFor()
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tracking' }).click()
      await untilLoaded(page, 'Tracking')
      await expectLocked(page, [
        'Attribution window (days)',
        'Attribution model',
        'If a link and a code compete',
        'Leads are reported by',
        'Review sales that follow a click from an ad',
        'Review sales this many seconds after the click',
        'Treat Global Privacy Control as consent refused',
      ])
      await expectAccessibleAgain(page)
    }
    await visit(service, `${scenario.path}/settings/details`, act, { as: await as('member') })
    expect((await scenario.owner.call('GET', scenario.api)).body.data).toEqual({ ...before, name: 'Named by a member' })
  },
)
