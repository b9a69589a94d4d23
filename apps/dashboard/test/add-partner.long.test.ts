import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startTestService } from '../../server/test/support/service.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { startSmtp } from '../../server/test/support/smtp.ts'
import { readPartners } from '../src/pages/partners/add/read-partners.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { LAPTOP, PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { push } from './support/tour.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const smtp = await startSmtp()
const withMail = await startTestService({ mail: smtp.mail })

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const dialogOf = (page: Page) => page.getByRole('dialog')

const openDialog = async (page: Page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await untilLoaded(page, 'Partners')
  await press(page, 'Add partner')
}
const submit = (page: Page, name = 'Add partner') => dialogOf(page).getByRole('button', { name, exact: true }).click()

test('adding a partner previews their link, and ends with the link and the invitation to copy', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await openDialog(page)
    const dialog = dialogOf(page)
    const invite = dialog.getByRole('switch', { name: 'Invite to the partner portal' })
    expect(await invite.isDisabled()).toBe(true)
    await dialog.getByLabel('Name').fill('Ben Ode')
    await dialog.getByText('shop.example/?aff=ben-ode').waitFor()
    await dialog.getByLabel('Email').fill('ben@example.com')
    expect(await invite.isChecked()).toBe(true)
    await expectAccessibleAgain(page)
    await submit(page)
    await dialog.getByRole('heading', { name: 'Ben Ode added' }).waitFor()
    await expectAccessibleAgain(page)
    await page.waitForFunction(() => document.activeElement?.textContent === 'Copy link')
    await page.keyboard.press('Enter')
    await dialog.getByText('Copied').first().waitFor()
    expect(await clipboard(page)).toMatch(/^https:\/\/shop\.example\/\?aff=ben-ode(-\w+)?$/)
    await dialog.getByRole('button', { name: 'Copy invitation' }).click()
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('/portal/invite/'))
    await dialog.getByRole('button', { name: 'Done' }).click()
    await push(page, `${owner.path}/links`)
    await page.getByRole('row').filter({ hasText: 'Ben Ode' }).getByText('ben-ode').first().waitFor()
  }
  await visit(service, `${owner.path}/partners`, act, { as: owner.account })
})

test('the dialog fits a small laptop, and the partner’s page says until when they are invited', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await openDialog(page)
    const dialog = dialogOf(page)
    await dialog.getByLabel('Name').fill('Dana Kim')
    await dialog.getByLabel('Email').fill('dana@example.com')
    expect(await dialog.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
    await submit(page)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Dana Kim' }).click()
    await untilLoaded(page, 'Dana Kim')
    await page.getByText(/Invited until \w+ \d+, \d+/).waitFor()
    await press(page, 'Invite again')
    await dialogOf(page).getByText('The new invitation replaces the open one.').waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(service, `${owner.path}/partners`, act, { as: owner.account, window: LAPTOP })
})

test('without the invitation no one is invited, and the next partner can be added right away', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await openDialog(page)
    const dialog = dialogOf(page)
    await dialog.getByLabel('Name').fill('Cleo Park')
    await dialog.getByLabel('Email').fill('cleo@example.com')
    await dialog.getByRole('switch').click()
    await submit(page)
    await dialog.getByRole('button', { name: 'Copy link' }).waitFor()
    expect(await dialog.getByText(/nvitation/).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Add another' }).click()
    await dialog.getByRole('heading', { name: 'Add partner' }).waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('')
  }
  await visit(service, `${owner.path}/partners`, act, { as: owner.account })
  const audit = (await owner.call('GET', `/api${owner.path}/audit`)).body.data
  expect(audit.map(({ action }: { action: string }) => action)).not.toContain('partner invited')
})

test('with a mail server the invitation is sent', async () => {
  const owner = await givenOwner(withMail)
  const act = async (page: Page) => {
    await openDialog(page)
    await dialogOf(page).getByLabel('Name').fill('Ben Ode')
    await dialogOf(page).getByLabel('Email').fill('ben-by-mail@example.com')
    await submit(page)
    await page.getByText('Invitation sent').waitFor()
    await expectAccessibleAgain(page)
  }
  await visit(withMail, `${owner.path}/partners`, act, { as: owner.account })
  expect(smtp.received.map(({ to }) => to)).toContain('ben-by-mail@example.com')
})

test('several partners are added from lines or a CSV file, and those that are refused say why', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await openDialog(page)
    const dialog = dialogOf(page)
    await press(page, 'Several')
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'partners.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Email,Name\nben@example.com,"Ode, Ben"\nben@example.com,Ben Again\n,Cleo Park\n'),
    })
    await dialog.getByText('3 partners, 2 with an email address.').waitFor()
    await dialog.getByText('shop.example/?aff=ode-ben').waitFor()
    await expectAccessibleAgain(page)
    await submit(page, 'Add 3 partners')
    await dialog.getByRole('heading', { name: '2 partners added' }).waitFor()
    await dialog.getByText('Not added: This email address belongs to another partner').waitFor()
    await expectAccessibleAgain(page)
    await dialog.getByRole('button', { name: 'Copy links' }).click()
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('Cleo Park'))
    expect((await clipboard(page)).split('\n')).toEqual([
      expect.stringMatching(/^Ode, Ben\thttps:\/\/shop\.example\/\?aff=ode-ben(-\w+)?$/),
      expect.stringMatching(/^Cleo Park\thttps:\/\/shop\.example\/\?aff=cleo-park(-\w+)?$/),
    ])
    await dialog.getByRole('button', { name: 'Copy invitations' }).click()
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('/portal/invite/'))
  }
  await visit(service, `${owner.path}/partners`, act, { as: owner.account, expectedErrors: /409/ })
  const { data } = (await owner.call('GET', `/api${owner.path}/links`)).body
  // With the partner that the program started with.
  expect(data).toHaveLength(3)
})

test('the dialog fits a phone, and says where a development website leads', async () => {
  const owner = await givenOwner(service)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Details')
    await page.getByLabel('Websites').fill('localhost:4010')
    await page.getByText('This is a development website').waitFor()
    await press(page, 'Save settings')
    await page.getByText('Settings saved.').waitFor()
    expect(await page.getByLabel('Websites').inputValue()).toBe('http://localhost:4010')
    await page.setViewportSize(PHONE.viewport)
    await push(page, `${owner.path}/partners`)
    await openDialog(page)
    await dialogOf(page).getByLabel('Name').fill('Ben Ode')
    await dialogOf(page).getByText('localhost:4010/?aff=ben-ode').waitFor()
    await dialogOf(page).getByText('Opens only on your computer or network.').waitFor()
    await expectNoSidewaysScroll(page)
  }
  await visit(service, `${owner.path}/settings/details`, act, { as: owner.account })
})

describe('a list of partners', () => {
  test.each([
    ['names', 'Maya Lindqvist\n\nBen', [{ name: 'Maya Lindqvist' }, { name: 'Ben' }]],
    ['addresses', 'maya@example.com', [{ name: 'maya', email: 'maya@example.com' }]],
    [
      'names, addresses and codes',
      'Maya L., m@example.com, maya',
      [{ name: 'Maya L.', email: 'm@example.com', code: 'maya' }],
    ],
    ['address book entries', 'Maya L. <m@example.com>', [{ name: 'Maya L.', email: 'm@example.com' }]],
    ['cells of a spreadsheet', 'm@example.com\tMaya', [{ name: 'Maya', email: 'm@example.com' }]],
    [
      'semicolons and a BOM',
      '\uFEFFName;E-Mail;Code\r\nMaya;m@example.com;maya\r\n',
      [{ name: 'Maya', email: 'm@example.com', code: 'maya' }],
    ],
    ['quoted cells', '"Maya ""M"" L.","m@example.com"', [{ name: 'Maya "M" L.', email: 'm@example.com' }]],
    [
      'columns in any order',
      'code,country,email,name\nben,SE,b@example.com,Ben',
      [{ name: 'Ben', email: 'b@example.com', code: 'ben' }],
    ],
    ['nothing', ' \n,,\n', []],
  ])('of %s is read', (_, text, partners) => {
    expect(readPartners(text)).toEqual(partners.map((partner) => ({ email: null, ...partner })))
  })
})
