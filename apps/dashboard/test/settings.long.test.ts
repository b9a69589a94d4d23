import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenColleague } from './support/earning.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const owner = await givenOwner(service)
const tour = givenTour(service, '/account', { as: owner.account })

const openSection = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
  await untilLoaded(page, name)
}

const save = async (page: Page, name = 'Save settings') => {
  await press(page, name)
  await page.getByText('Settings saved.').last().waitFor()
  // The form is filled again with what was saved.
  await soon(async () => expect(await page.getByRole('button', { name }).isEnabled()).toBe(true))
}

test('program settings are saved as shown', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Details')
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await page.getByLabel('Partners create their own links').click()
    await save(page)
    await openSection(page, 'Tracking')
    await page.getByLabel('Attribution window').fill('45')
    await page.getByLabel('Model').selectOption('first_click')
    await page.getByLabel('Sales are reported by').selectOption('s2s')
    await page.getByLabel('Treat Global Privacy Control as consent refused').click()
    await save(page)
    await openSection(page, 'Applications')
    await page.getByText('The application page is closed.').waitFor()
    await page.getByLabel('Accept applications').click()
    await page.getByText(/\/apply\/\d+$/).waitFor()
    await page.getByText('Once you save, anyone can apply on the page below.').waitFor()
    await page.getByLabel('Application page text').fill('Join us.')
    await save(page, 'Save application page')
    await page.getByText('Anyone can apply on the page below.').waitFor()
    expect((await owner.call('GET', `/api${owner.path}`)).body.data).toMatchObject({
      name: 'Renamed',
      cookieWindowDays: 45,
      attributionModel: 'first_click',
      paymentTrackingMode: 's2s',
      respectGlobalPrivacyControl: true,
      applicationsOpen: true,
      applicationText: 'Join us.',
      partnersCreateLinks: true,
    })
  }
  await tour.open({ path: `${owner.path}/settings`, title: 'Details' }, act)
})

test.skipIf(!isLongRun)(
  'only portable time zones are offered, and a saved one the browser does not offer stays',
  async () => {
    const owner = await givenOwner(service)
    expect((await owner.call('PATCH', `/api${owner.path}`, { timezone: 'US/Eastern' })).status).toBe(200)
    const act = async (page: Page) => {
      await untilLoaded(page, 'Details')
      const zones = await page.getByLabel('Time zone').locator('option').allInnerTexts()
      expect(zones.length).toBeGreaterThan(300)
      expect(zones.filter((zone) => !zone.includes('/'))).toEqual(['UTC'])
      expect(zones[0]).toBe('US/Eastern')
      await press(page, 'Save settings')
      await page.getByText('No changes to save.').waitFor()
      await page.getByLabel('Name').fill('Renamed')
      await press(page, 'Save settings')
      await page.getByText('Settings saved.').waitFor()
      const { data } = (await owner.call('GET', `/api${owner.path}`)).body
      expect(data).toMatchObject({ name: 'Renamed', timezone: 'US/Eastern' })
    }
    await visit(service, `${owner.path}/settings/details`, act, { as: owner.account })
  },
)

test.skipIf(!isLongRun)('a rotated key keeps working for its grace period', async () => {
  const { key: old } = await owner.create(`/api${owner.path}/api-keys`, { name: 'Production' })
  const sale = (key: string) =>
    service.call(
      'POST',
      '/api/v1/track/sale',
      { additional_data: { test_mode: true } },
      { authorization: `Bearer ${key}` },
    )
  const act = async (page: Page) => {
    await press(page, 'Rotate Production')
    await page.getByLabel('Old key').selectOption('1440')
    await press(page, 'Rotate key')
    const key = await page.getByTestId('secret').innerText()
    expect([(await sale(key)).status, (await sale(old)).status]).toEqual([200, 200])
    await press(page, 'Done')
    await page.getByRole('cell', { name: /until/ }).waitFor()
  }
  await tour.open({ path: `${owner.path}/settings/api-keys`, title: 'API keys' }, act)
})

test('members can be invited by link, change roles, and be removed after confirming', async () => {
  const colleague = await givenColleague(service, owner, 'viewer')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Team')
    await press(page, 'Invite member')
    await page.getByLabel('Email').fill('sam@example.com')
    await page.getByLabel('Role', { exact: true }).selectOption('billing')
    await press(page, 'Create invitation')
    await soon(async () => expect(await page.getByTestId('invitation').innerText()).toContain('/invite/'))
    await press(page, 'Done')
    await press(page, 'Withdraw invitation for sam@example.com')
    await press(page, 'Withdraw invitation', { exact: true })
    await page
      .getByRole('row', { name: /sam@example.com/ })
      .getByText('Canceled')
      .waitFor()

    const memberRow = page.getByRole('row', { name: new RegExp(colleague.email) })
    await memberRow.getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Change role' }).click()
    await page.getByLabel('Role', { exact: true }).selectOption('admin')
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
    await memberRow.getByText('Admin').waitFor()
    await memberRow.getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await press(page, 'Remove member')
    await memberRow.waitFor({ state: 'detached' })
  }
  await tour.open({ path: `${owner.path}/settings/team`, title: 'Team' }, act)
})

test.skipIf(!isLongRun)(
  'terms that another member changed meanwhile are shown before they can be replaced',
  async () => {
    const owner = await givenOwner(service)
    const reward = `/api${owner.path}/reward`
    await owner.call('PUT', reward, { lead: { amountCents: 100 }, holdDays: 10 })
    const act = async (page: Page) => {
      const hold = page.getByLabel('Hold period (days)')
      await hold.fill('15')
      await owner.call('PUT', reward, { lead: { amountCents: 250 }, holdDays: 10 })
      await press(page, 'Save reward terms')
      await page.getByText('someone changed these terms').waitFor()
      await page.getByText(/Current: \$2\.50/).waitFor()
      await soon(async () => expect(await hold.inputValue()).toBe('15'))
      await press(page, 'Save reward terms')
      await page.getByText(/Reward terms saved: \$2\.50/).waitFor()
      expect((await owner.call('GET', reward)).body.data).toMatchObject({ lead: { amountCents: 250 }, holdDays: 15 })
    }
    await visit(service, `${owner.path}/settings/rewards`, act, { as: owner.account, expectedErrors: /409/ })
  },
)

test('the audit log shows old and new values, and keeps its search in the URL', async () => {
  const reward = (holdDays: number) =>
    owner.call('PUT', `/api${owner.path}/reward`, { lead: { amountCents: 100 }, holdDays })
  await reward(10)
  await reward(20)
  const act = async (page: Page) => {
    // The team's screen before it has a search box too.
    await untilLoaded(page, 'Audit log')
    await page.getByRole('searchbox').fill('reward')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=reward/)
    await page.getByText('2 entries').waitFor()
    await page.getByRole('button', { name: 'Reward terms changed' }).first().click()
    const change = page.getByRole('dialog').getByRole('row', { name: /Hold period \(days\)/ })
    await soon(async () => expect(await change.innerText()).toMatch(/Hold period \(days\)\s+10\s+20/))
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('nothing like it')
    await page.keyboard.press('Enter')
    await page.getByText('No entries found').waitFor()
  }
  await tour.open({ path: `${owner.path}/settings/audit-log`, title: 'Audit log' }, act)
})

test.skipIf(!isLongRun)('the audit log shows partner names and can be searched by them', async () => {
  const owner = await givenOwner(service)
  const [partner] = (await owner.call('GET', `/api${owner.path}/partners`)).body.data
  const path = `/api${owner.path}/partners/${partner.id}`
  await owner.call('PATCH', path, { email: 'maya@example.com' })
  await owner.call('PUT', `${path}/reward`, { lead: { amountCents: 100 } })
  const act = async (page: Page) => {
    await page.getByRole('searchbox').fill('lindqvist')
    await page.keyboard.press('Enter')
    await page.getByText('4 entries').waitFor()
    const cell = (name: string) => page.getByRole('cell', { name, exact: true })
    await cell('Maya Lindqvist').first().waitFor()
    await cell('Reward terms of Maya Lindqvist').waitFor()
    await page.getByRole('button', { name: 'Partner changed' }).first().click()
    const panel = page.getByRole('dialog', { name: 'Partner changed: Maya Lindqvist' })
    await panel.getByText(`Partner ${partner.id}`, { exact: true }).waitFor()
  }
  await visit(service, `${owner.path}/settings/audit-log`, act, { as: owner.account })
})

test.skipIf(!isLongRun)('changing the password ends other sessions, and "Sign out everywhere" ends all', async () => {
  const owner = await givenOwner(service)
  const elsewhere = () => owner.call('GET', '/api/workspaces')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Account settings')
    await soon(async () =>
      expect(await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').count()).toBe(2),
    )
    await page.getByLabel('Current password').fill('not my password')
    await page.getByLabel('New password').fill('an even longer password')
    await press(page, 'Change password')
    await page.getByRole('alert').first().waitFor()
    expect((await elsewhere()).status).toBe(200)
    await page.getByLabel('Current password').fill('a long password')
    await press(page, 'Change password')
    await page.getByText('Password changed. All other sessions have ended.').waitFor()
    expect((await elsewhere()).status).toBe(401)
    await page.getByText('This browser').waitFor()

    await press(page, 'Sign out everywhere')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await untilLoaded(page, 'Sign in')
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill('an even longer password')
    await press(page, 'Sign in')
    await untilLoaded(page, 'Overview')
  }
  await visit(service, '/account', act, { as: owner.account, expectedErrors: /status of 4\d\d/ })
})
