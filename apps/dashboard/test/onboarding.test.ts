import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { sized } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenFreshService } from './support/service.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

const service = await givenFreshService()
const account = { email: 'ada@example.com', password: 'a long password' }

/** From the sign-in page of an empty service to a copied link. */
const MOST_CLICKS = 7

/** Clicks like a visitor with a mouse, and counts every click. Everything else is typed. */
const givenVisitor = (page: Page) => {
  const clicked: string[] = []
  const click = async (role: 'link' | 'button', name: string) => {
    clicked.push(name)
    await page.getByRole(role, { name, exact: true }).last().click()
  }
  /** Each form starts in its first field, so Tab is enough to fill it in. */
  const type = async (...fields: [label: string, text: string][]) => {
    for (const [index, [label, text]] of fields.entries()) {
      if (index > 0) await page.keyboard.press('Tab')
      const field = page.getByLabel(label, { exact: true })
      await page.waitForFunction((element) => element === document.activeElement, await field.elementHandle())
      await page.keyboard.type(text)
    }
  }
  return { clicked, click, type }
}

const item = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

test('from an empty service to a copied link in at most 7 clicks', () =>
  visit(service, '/', async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const { clicked, click, type } = givenVisitor(page)
    await click('link', 'Create your first account')
    await type(['Name', 'Ada'], ['Email', account.email], ['Password', account.password])
    await click('button', 'Create account')
    await type(['Workspace name', 'Acme Inc.'])
    await click('button', 'Continue')
    await type(['Program name', 'Acme partners'], ['Website', 'shop.example'])
    for (const _ of ['Currency', 'Attribution window', 'Time zone', 'Partners earn']) await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('20')
    await click('button', 'Create program')

    await untilLoaded(page, 'Overview')
    await page.getByText('2 of 7 complete').waitFor()
    await item(page, 'Create your first link').getByText('After your first partner').waitFor()
    await expectAccessibleAgain(page)
    await click('link', 'Add partner')
    await type(['Name', 'Maya Lindqvist'])
    await click('button', 'Add partner')
    await click('button', 'Copy link')
    await page.waitForFunction(
      async () => (await navigator.clipboard.readText()) === 'https://shop.example/?aff=maya-lindqvist',
    )
    expect(clicked).toHaveLength(MOST_CLICKS)
  }))

test('the checklist opens each form, collapses to a line, and goes away when the program works', () =>
  visit(
    service,
    '/',
    async (page) => {
      const path = `${service.url}/programs/1`
      await untilLoaded(page, 'Overview')
      await page.getByText('4 of 7 complete').waitFor()
      await opensTheForms(page, path)
      await collapses(page)
      await completes(page)
    },
    { as: account },
  ))

const isFocused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

const opensTheForms = async (page: Page, path: string) => {
  const items = [
    ['Install the script', 'Get script'],
    ['Track leads', 'Send lead'],
    ['Track sales', 'Connect Stripe'],
  ] as const
  for (const [title, action] of sized({ short: items.slice(0, 1), long: [...items] })) {
    await item(page, title).getByRole('link', { name: action }).click()
    await untilLoaded(page, 'Setup')
    expect(await isFocused(page)).toContain(title)
    await page.goBack()
    await untilLoaded(page, 'Overview')
  }
  await page.goto(`${path}/settings/details#websites`)
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'websites')
  await page.goto(`${path}/settings/rewards#reward`)
  await page.waitForFunction(() => document.activeElement?.closest('form') !== null)
  await page.goto(path)
}

const collapses = async (page: Page) => {
  const line = page.getByRole('button', { name: /^Get started/ })
  await line.click()
  await page.getByText('4 of 7 complete · Next: Install the script').waitFor()
  await page.reload()
  await page.getByText('4 of 7 complete · Next: Install the script').waitFor()
  await soon(async () => expect(await page.getByRole('link', { name: 'Get script' }).count()).toBe(0))
  await page.setViewportSize(PHONE.viewport)
  await line.click()
  await page.getByRole('link', { name: 'Get script' }).waitFor()
  await expectNoSidewaysScroll(page)
}

/** The merchant's page and server send test events; the checklist follows without a reload. */
const completes = async (page: Page) => {
  const headers = { origin: service.url }
  const request = (method: 'post' | 'patch', at: string, data: object) =>
    page.request[method](`${service.url}/api/programs/1${at}`, { data, headers })
  const { data } = await (await request('post', '/api-keys', {})).json()
  expect((await request('patch', '', { paymentTrackingMode: 's2s' })).status()).toBe(200)
  const body = { additional_data: { test_mode: true, program_id: 1 } }
  const authorization = { authorization: `Bearer ${data.key}` }
  await service.call('POST', '/api/v1/track/click', { ...body, affiliate_url: 'https://shop.example/?aff=test' })
  await page.getByText('5 of 7 complete').waitFor()
  await service.call('POST', '/api/v1/track/lead', body, authorization)
  await service.call('POST', '/api/v1/track/sale', body, authorization)
  await page.getByText('Setup complete.').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Setup complete.').waitFor({ state: 'detached' })
  await page.reload()
  await untilLoaded(page, 'Overview')
  await soon(async () => expect(await page.getByText('Get started').count()).toBe(0))
}
