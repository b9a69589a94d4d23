import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenFreshService } from './support/service.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'
import { givenVisitor } from './support/visitor.ts'

const service = await givenFreshService()
const account = { email: 'ada@example.com', password: 'a long password' }

/** Clicks from the first address of an empty service. The shop's pages and server are replaced by API calls. */
const MOST_CLICKS = { copiedLink: 5, creditedSale: 12, paidCommission: 18 }

/** The whole walk takes half a minute, and longer beside other browsers. */
const WALK_MS = 300_000

const step = (page: Page, title: string) =>
  page.getByRole('button', { name: new RegExp(`(Complete|Pending): ${title}`) })
const isOpen = (page: Page, title: string) =>
  soon(async () => {
    const open = await page.locator('h2 [aria-expanded=true]').allInnerTexts()
    expect(open).toHaveLength(1)
    expect(open[0]).toContain(title)
  })

test(
  'from an empty service: first copied link in 5 clicks, first credited sale in 12, first paid commission in 18',
  () =>
    visit(service, '/', async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const visitor = givenVisitor(page)
      await createsProgram(page, visitor)
      const link = await copiesLink(page, visitor)
      expect(visitor.clicked).toHaveLength(MOST_CLICKS.copiedLink)
      await creditsSale(page, visitor, link)
      expect(visitor.clicked).toHaveLength(MOST_CLICKS.creditedSale)
      await paysCommission(page, visitor)
      expect(visitor.clicked).toHaveLength(MOST_CLICKS.paidCommission)
      await switchesMode(page)
    }),
  WALK_MS,
)

type Visitor = ReturnType<typeof givenVisitor>

const createsProgram = async (page: Page, { click, type, replace }: Visitor) => {
  await untilLoaded(page, 'Create the first account')
  await page.getByText('No one uses this service yet').waitFor()
  await type(['Name', 'Ada'], ['Email', account.email], ['Password', account.password])
  await click('button', 'Create account')
  await untilLoaded(page, 'Create a program')
  await type(['Workspace name', 'Acme'])
  expect(await page.getByLabel('Program name').inputValue()).toBe('Acme partners')
  expect(await page.getByLabel('Percentage').inputValue()).toBe('30')
  expect(await page.getByLabel('Months', { exact: true }).inputValue()).toBe('12')
  expect(await page.getByLabel('Hold period (days)').inputValue()).toBe('30')
  expect(await page.getByLabel('Currency').inputValue()).toBe('USD')
  await replace('Website', 'shop.example')
  await replace('Hold period (days)', '0')
  await click('button', 'Create program')
}

const copiesLink = async (page: Page, { click, type, copied }: Visitor) => {
  await untilLoaded(page, 'Setup')
  await page.getByText('1 of 5 complete').waitFor()
  await isOpen(page, 'Add a partner and their link')
  await click('button', 'Add partner')
  await type(['Name', 'Maya Lindqvist'])
  await click('button', 'Add partner')
  await click('button', 'Copy link')
  await soon(async () => expect(await copied()).toBe('https://shop.example/?aff=maya-lindqvist'))
  return copied()
}

const creditsSale = async (page: Page, { click, copied }: Visitor, link: string) => {
  await click('button', 'Done')
  await page.getByText('2 of 5 complete').waitFor()
  await isOpen(page, 'Install the script')
  await click('button', 'Copy')
  const visited = await service.call('POST', '/api/v1/track/click', { affiliate_url: link, page_url: link })
  await page.getByText('3 of 5 complete').waitFor()
  await isOpen(page, 'Track leads')
  await click('button', 'Create API key')
  await click('button', 'Copy key')
  const shown = await page.getByTestId('secret').filter({ visible: true }).innerText()
  await soon(async () => expect(await copied()).toBe(shown))
  const authorization = { authorization: `Bearer ${shown}` }
  await click('button', 'Copy')
  const { click_id } = visited.body
  await service.call('POST', '/api/v1/track/lead', { customer_key: 'user_1', click_id }, authorization)
  await page.getByText('4 of 5 complete').waitFor()
  await isOpen(page, 'Track sales')
  await click('button', 'From my server')
  await page.getByText('Waiting for your first sale').waitFor()
  await click('button', 'Copy')
  const sale = { customer_key: 'user_1', amount: 4_900, currency: 'USD', invoice_id: 'inv_1' }
  const sold = await service.call('POST', '/api/v1/track/sale', sale, authorization)
  expect(sold.body.commission_id).toEqual(expect.any(Number))
  // The sale is credited, so the step is complete although the program expects sales from Stripe.
  await page.getByText('5 of 5 complete').waitFor()
  await page.getByText('Sales from your server are credited').waitFor()
}

const paysCommission = async (page: Page, { click }: Visitor) => {
  await click('link', 'Payouts')
  await untilLoaded(page, 'Payouts')
  await click('button', 'Create payout')
  await page.getByRole('alertdialog').waitFor()
  await click('checkbox', /Maya Lindqvist/)
  await click('button', 'Create payout of $14.70')
  await click('button', /^Mark as paid/)
  await click('button', 'Mark $14.70 as paid')
  await page.getByText('Paid', { exact: true }).filter({ visible: true }).first().waitFor()
}

const switchesMode = async (page: Page) => {
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Use sales from your server' }).click()
  await page.getByText('Saved. This program now expects sales from your server.').waitFor()
  await soon(async () => expect(await page.getByText('Sales from your server are credited').count()).toBe(0))
}

test('setup leaves the menu when it is complete, and returns if something breaks', () =>
  visit(
    service,
    '/programs/1/links',
    async (page) => {
      await untilLoaded(page, 'Links')
      const menu = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Setup' })
      await soon(async () => expect(await menu.count()).toBe(0))
      await page.getByRole('button', { name: /^Actions for/ }).click()
      await page.getByRole('menuitem', { name: 'Disable' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disable link' }).click()
      await menu.click()
      await untilLoaded(page, 'Setup')
      await page.getByText('4 of 5 complete').waitFor()
      await isOpen(page, 'Add a partner and their link')
      await page.getByText('No approved partner has an active link.').waitFor()
      await page.getByRole('link', { name: 'Overview' }).click()
      await untilLoaded(page, 'Overview')
      await page.getByText('Next: Add a partner and their link').waitFor()
      await page.getByRole('link', { name: 'Continue setup' }).click()
      await untilLoaded(page, 'Setup')
    },
    { as: account },
  ))

test('a step opens by its address or a click, one at a time, and fits a phone', () =>
  visit(
    service,
    '/programs/1/set-up#signUps',
    async (page) => {
      await untilLoaded(page, 'Setup')
      await isOpen(page, 'Track leads')
      for (const title of ['Install the script', 'Track sales']) {
        await step(page, title).click()
        await isOpen(page, title)
        await expectNoSidewaysScroll(page)
        await expectAccessibleAgain(page)
      }
      await step(page, 'Track sales').click()
      await soon(async () => expect(await page.locator('h2 [aria-expanded=true]').count()).toBe(0))
    },
    { as: account, window: PHONE },
  ))
