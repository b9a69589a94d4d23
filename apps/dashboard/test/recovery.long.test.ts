import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenRole } from '../../server/test/support/money.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const owner = await givenOwner(service)
const tour = givenTour(service, '/account', { as: owner.account })

test('a change without a connection fails immediately and can be retried', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Details')
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await page.context().setOffline(true)
    await press(page, 'Save settings')
    await page.getByRole('alert').getByText('Can’t reach the service.').waitFor()
    await page.context().setOffline(false)
    const { body } = await owner.call('GET', `/api${owner.path}`)
    expect(body.data.name).not.toBe('Renamed')
    await press(page, 'Save settings')
    await page.getByText('Settings saved.').waitFor()
  }
  const expectedErrors = /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/
  await visit(service, `${owner.path}/settings/details`, act, { as: owner.account, expectedErrors })
})

test('a change after the session has ended asks to sign in and keeps the input', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Details')
    await page.getByLabel('Name', { exact: true }).fill('Renamed again')
    // Otherwise a refresh of the page may find out first.
    await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()))
    await page.context().clearCookies()
    await press(page, 'Save settings')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended. Sign in again.' })
    await soon(async () => expect(await dialog.getByLabel('Email').inputValue()).toBe(owner.account.email))
    await page.unroute('**/api/**')
    await dialog.getByLabel('Password').fill(owner.account.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(`${owner.path}/settings/details`)
    await soon(async () => expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed again'))
    await press(page, 'Save settings')
    await page.getByText('Settings saved.').waitFor()
    expect((await owner.call('GET', `/api${owner.path}`)).body.data.name).toBe('Renamed again')
  }
  await visit(service, `${owner.path}/settings/details`, act, { as: owner.account, expectedErrors: /401|ERR_FAILED/ })
})

test('a new API key stays visible until the user closes it', () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'API keys')
    await press(page, 'Create key')
    await page.getByLabel('Name').fill('Production')
    await press(page, 'Create key')
    await page.getByTestId('secret').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await soon(async () => expect(await page.getByTestId('secret').innerText()).toMatch(/^trk_/))
    await press(page, 'Done')
    await page.getByTestId('secret').waitFor({ state: 'detached' })
  }
  return tour.open({ path: `${owner.path}/settings/api-keys`, title: 'API keys' }, act)
})

test('a page past the end links back to the list', () => {
  const act = async (page: Page) => {
    await page.getByRole('heading', { name: 'This page is empty' }).waitFor()
    await press(page, 'Go to first page')
    await page.getByRole('cell', { name: /^Maya Lindqvist/ }).waitFor()
  }
  return tour.open({ path: `${owner.path}/partners?page=7`, title: 'Partners' }, act)
})

test.skipIf(!isLongRun)('on a phone a list claims no sort order by default', async () => {
  await owner.create(`/api${owner.path}/links`, { partnerId: null, aff: `phone-${Date.now()}`, destinationUrl: null })
  const act = async (page: Page) => {
    await page.getByRole('listitem').first().waitFor()
    await press(page, 'Filters')
    await soon(async () => expect(await page.getByLabel('Sort by').inputValue()).toBe(''))
    await page.getByLabel('Sort by').selectOption('aff')
    await page.waitForURL(/sort=aff/)
    await soon(async () => expect(await page.getByLabel('Sort by').inputValue()).toBe('aff'))
  }
  await visit(service, `${owner.path}/links`, act, { as: owner.account, window: PHONE })
})

test.skipIf(!isLongRun)('a viewer who opens the API keys URL has no access', async () => {
  const viewer = await givenUser(service)
  await givenRole(service, owner.workspaceId, viewer, 'viewer')
  const act = async (page: Page) => {
    await page.getByText('You don’t have access').waitFor()
    await soon(async () => expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0))
  }
  const as = { email: viewer.email }
  await visit(service, `${owner.path}/settings/api-keys`, act, { as, expectedErrors: /403/ })
})

test.skipIf(!isLongRun)('the command palette looks up invoices, customers and clicks', () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Links')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or run a command…').fill('INV-77')
    await page.getByRole('option', { name: 'Invoice, customer or click “INV-77”' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing received for “INV-77”').waitFor()
  }
  return tour.open({ path: `${owner.path}/links`, title: 'Links' }, act)
})

test.skipIf(!isLongRun)('the longest program name does not move the portal’s navigation', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' } })
  await program.owner.call('PATCH', program.api, { name: 'A name that is far too long, yes '.repeat(3).trim() })
  const as = await givenPartnerAccount(service, program)
  const act = async (page: Page) => {
    const bar = page.getByRole('banner')
    const last = await bar.getByRole('link', { name: 'Payouts' }).boundingBox()
    const menu = await bar.getByRole('button').last().boundingBox()
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThan(menu?.x ?? 0)
  }
  await visit(service, `/portal/${program.id}/links`, act, { as })
})

test('closing a dialog returns the focus to its opener', () => {
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent?.trim())
  const closeDialog = async (page: Page) => {
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog], [role=alertdialog]').waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement !== document.body)
    return focused(page)
  }
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    await press(page, 'Add partner')
    await page.getByRole('dialog').waitFor()
    expect(await closeDialog(page)).toBe('Add partner')
    await press(page, 'Actions for Maya Lindqvist')
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    await page.getByRole('alertdialog').waitFor()
    expect(await closeDialog(page)).toBe('Actions for Maya Lindqvist')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search or run a command…').waitFor()
    expect(await closeDialog(page)).toBe('Actions for Maya Lindqvist')
  }
  return tour.open({ path: `${owner.path}/partners`, title: 'Partners' }, act)
})

test.skipIf(!isLongRun)('a screen that fails to load says so and can be retried', async () => {
  const gone = /\/assets\/|\/healthz/
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    await page.route(gone, (route) => route.abort())
    await page.getByRole('link', { name: 'Commissions' }).click()
    await page.getByRole('alert').getByText('Can’t reach the service').waitFor()
    await soon(async () => expect(await page.getByRole('link', { name: 'Partners' }).count()).toBe(1))
    await press(page, 'Try again')
    await page.getByText('Still can’t reach the service.').waitFor()
    await page.unroute(gone)
    await press(page, 'Try again')
    await untilLoaded(page, 'Commissions')
  }
  const expectedErrors = /ERR_FAILED|dynamically imported module|Can’t reach/
  await visit(service, `${owner.path}/partners`, act, { as: owner.account, expectedErrors })
})

test('an unknown URL says so in its heading', () =>
  tour.open({ path: '/nowhere', title: 'Page not found' }, async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  }))
