import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenUser } from '../../server/test/support/given.ts'
import { givenPayingProgram, givenRole } from '../../server/test/support/money.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { press } from './support/press.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const owner = await givenOwner(service)
const tour = givenTour(service, '/account', { as: owner.account })

test('a change without a connection says so at once, and is sent when somebody presses again', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Program')
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await page.context().setOffline(true)
    await press(page, 'Save settings')
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    await page.context().setOffline(false)
    const { body } = await owner.call('GET', `/api${owner.path}`)
    expect(body.data.name).not.toBe('Renamed')
    await press(page, 'Save settings')
    await page.getByText('Settings saved.').waitFor()
  }
  const expectedErrors = /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/
  await visit(service, `${owner.path}/settings/program`, act, { as: owner.account, expectedErrors })
})

test('a change after the session has ended asks to sign in, and keeps what was written', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Program')
    await page.getByLabel('Name', { exact: true }).fill('Renamed again')
    await page.context().clearCookies()
    await press(page, 'Save settings')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended. Sign in again.' })
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe(owner.account.email)
    await dialog.getByLabel('Password').fill(owner.account.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(`${owner.path}/settings/program`)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed again')
    await press(page, 'Save settings')
    await page.getByText('Settings saved.').waitFor()
    expect((await owner.call('GET', `/api${owner.path}`)).body.data.name).toBe('Renamed again')
  }
  await visit(service, `${owner.path}/settings/program`, act, { as: owner.account, expectedErrors: /401/ })
})

test('a key that is shown once stays until somebody says that they have it', () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'API keys')
    await press(page, 'New key')
    await page.getByLabel('Name').fill('Production')
    await press(page, 'Create key')
    await page.getByTestId('secret').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    expect(await page.getByTestId('secret').innerText()).toMatch(/^trk_/)
    await press(page, 'I have stored it')
    await page.getByTestId('secret').waitFor({ state: 'detached' })
  }
  return tour.open({ path: `${owner.path}/settings/api-keys`, title: 'API keys' }, act)
})

test('an address of a page that is no more leads back to the list', () => {
  const act = async (page: Page) => {
    await page.getByRole('heading', { name: 'This page is empty' }).waitFor()
    await press(page, 'Go to the first page')
    await page.getByRole('cell', { name: /^Maya Lindqvist/ }).waitFor()
  }
  return tour.open({ path: `${owner.path}/partners?page=7`, title: 'Partners' }, act)
})

test.skipIf(!isLongRun)('on a phone a list does not claim an order that it is not in', async () => {
  await owner.create(`/api${owner.path}/links`, { partnerId: null, aff: `phone-${Date.now()}`, destinationUrl: null })
  const act = async (page: Page) => {
    await page.getByRole('listitem').getByText('Last click').waitFor()
    expect(await page.getByLabel('Sort by').inputValue()).toBe('')
    await page.getByLabel('Sort by').selectOption('aff')
    await page.waitForURL(/sort=aff/)
    expect(await page.getByLabel('Sort by').inputValue()).toBe('aff')
  }
  await visit(service, `${owner.path}/links`, act, { as: owner.account, window: PHONE })
})

test.skipIf(!isLongRun)('a viewer who opens the keys by hand is offered none', async () => {
  const viewer = await givenUser(service)
  await givenRole(service, owner.workspaceId, viewer, 'viewer')
  const act = async (page: Page) => {
    await page.getByText('You may not see this').waitFor()
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
  }
  const as = { email: viewer.email, password: 'a long password' }
  await visit(service, `${owner.path}/settings/api-keys`, act, { as, expectedErrors: /403/ })
})

test('the palette looks up what is no place: an invoice, a customer, a click', () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Links')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to, switch, change …').fill('INV-77')
    await page.getByRole('option', { name: 'Invoice, customer or click “INV-77”' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing was ever received as INV-77').waitFor()
  }
  return tour.open({ path: `${owner.path}/links`, title: 'Links' }, act)
})

test.skipIf(!isLongRun)('the longest name of a program leaves the portal’s navigation in its place', async () => {
  const program = await givenPayingProgram(service, { sale: { percentBps: 1000, duration: 'lifetime' } })
  await program.owner.call('PATCH', program.api, { name: 'A name that nobody would choose, '.repeat(3).trim() })
  const as = await givenPartnerAccount(service, program)
  const act = async (page: Page) => {
    const bar = page.getByRole('banner')
    const last = await bar.getByRole('link', { name: 'Payouts' }).boundingBox()
    const menu = await bar.getByRole('button').last().boundingBox()
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThan(menu?.x ?? 0)
  }
  await visit(service, `/portal/${program.id}/links`, act, { as })
})

test('a dialog that is closed gives the focus back to what opened it', () => {
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent?.trim())
  const closed = async (page: Page) => {
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog], [role=alertdialog]').waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement !== document.body)
    return focused(page)
  }
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    await press(page, 'Add partner')
    await page.getByRole('dialog').waitFor()
    expect(await closed(page)).toBe('Add partner')
    await press(page, 'Actions for Maya Lindqvist')
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    await page.getByRole('alertdialog').waitFor()
    expect(await closed(page)).toBe('Actions for Maya Lindqvist')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to, switch, change …').waitFor()
    expect(await closed(page)).toBe('Actions for Maya Lindqvist')
  }
  return tour.open({ path: `${owner.path}/partners`, title: 'Partners' }, act)
})

test('a screen that cannot be fetched says so in its place, and is there after another try', async () => {
  const gone = /\/assets\/|\/healthz/
  const act = async (page: Page) => {
    await untilLoaded(page, 'Partners')
    await page.route(gone, (route) => route.abort())
    await page.getByRole('link', { name: 'Commissions' }).click()
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
    expect(await page.getByRole('link', { name: 'Partners' }).count()).toBe(1)
    await press(page, 'Try again')
    await page.getByText('The service still cannot be reached.').waitFor()
    await page.unroute(gone)
    await press(page, 'Try again')
    await untilLoaded(page, 'Commissions')
  }
  const expectedErrors = /ERR_FAILED|dynamically imported module|cannot be reached/
  await visit(service, `${owner.path}/partners`, act, { as: owner.account, expectedErrors })
})

test('an address without a page says so in its heading', () =>
  tour.open({ path: '/nowhere', title: 'There is nothing at this address' }, async (page) => {
    await page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor()
  }))
