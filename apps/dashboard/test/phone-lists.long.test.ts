import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenPayingProgram, givenSale } from '../../server/test/support/money.ts'
import { DAY_MS } from '../../server/test/support/service.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessible } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenEarned } from './support/earning.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const window = { ...PHONE, viewport: { width: 390, height: 844 } }

/** Twelve sales of twelve customers, and twelve more partners with a link and without a sale. */
const givenLists = async () => {
  const { owner, sell } = await givenEarned(service)
  for (let number = 1; number <= 12; number++) {
    service.clock.advance(DAY_MS / 24)
    await sell(1_000 * number, {}, `INV-${number}`)
    const partner = await owner.create(`/api${owner.path}/partners`, { name: `Partner ${number}` })
    await owner.create(`/api${owner.path}/links`, { partnerId: partner.id })
  }
  return owner
}
const owner = await givenLists()

const LISTS = [
  ['Sales', '/sales', 'Sales'],
  ['Partners', '/partners', 'Partners'],
  ['Links', '/links', 'Referral links'],
  ['Commissions', '/commissions', 'Commissions'],
] as const

/** Two lines each, without zeros. Returns where the tenth row ends. */
const expectTenRows = async (page: Page, label: string) => {
  const rows = page.getByRole('list', { name: label }).getByRole('listitem')
  await rows.nth(9).waitFor()
  const [first, tenth] = await Promise.all([rows.first().boundingBox(), rows.nth(9).boundingBox()])
  const bottom = (tenth?.y ?? 0) + (tenth?.height ?? 0)
  // Without the bar at the top.
  expect(bottom - (first?.y ?? 0)).toBeLessThanOrEqual(window.viewport.height - 48)
  expect(await rows.getByText(/^\$0\.00$|^0$/).count()).toBe(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  return bottom
}

describe('on a phone', () => {
  test.each(LISTS)('%s have two lines a row, and ten rows fit a screen', async (title, path, label) => {
    const act = async (page: Page) => {
      await untilLoaded(page, title)
      const bottom = await expectTenRows(page, label)
      // Commissions have their totals above the list.
      if (path !== '/commissions') expect(bottom).toBeLessThanOrEqual(844)
    }
    await visit(service, owner.path + path, act, { as: owner.account, window })
  })

  test('filters and the order are in one sheet', async () => {
    const act = async (page: Page) => {
      await untilLoaded(page, 'Sales')
      expect(await page.getByRole('button', { name: 'Not credited' }).isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Filters' }).click()
      const sheet = page.getByRole('dialog', { name: 'Filters' })
      await expectAccessible(page)
      await sheet.getByLabel('Sort by').selectOption('amountCents')
      await sheet.getByRole('button', { name: 'Credited', exact: true }).click()
      await page.keyboard.press('Escape')
      await page.waitForURL(/state=credited/)
      const rows = page.getByRole('list', { name: 'Sales' }).getByRole('listitem')
      await soon(async () => expect(await rows.first().innerText()).toContain('INV-1'))
      await page.getByRole('button', { name: 'Filters, some are set' }).waitFor()
    }
    await visit(service, `${owner.path}/sales`, act, { as: owner.account, window })
  })
})

/** A partner with twelve links and sales, one of them refunded. */
const givenPortalLists = async () => {
  const reward = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 14 }
  const program = await givenPayingProgram(service, reward)
  for (let number = 1; number <= 12; number++) {
    const { invoice_id } = await givenSale(program, 1_000 * number)
    if (number === 12) expect((await program.refund({ invoice_id })).status).toBe(200)
    const { partnerId } = program.link
    expect((await program.owner.call('POST', `${program.api}/links`, { partnerId })).status).toBe(201)
  }
  return { path: `/portal/${program.id}`, as: await givenPartnerAccount(service, program) }
}
const portal = await givenPortalLists()

describe('in the portal on a phone', () => {
  test.each([
    ['Links', '/links', 'Your links'],
    ['Sales', '/sales', 'Sales'],
    ['Commissions', '/earnings', 'Commissions'],
  ])('%s have two lines a row, and ten rows fit a screen', (title, path, label) => {
    const act = async (page: Page) => {
      await untilLoaded(page, title)
      expect(await expectTenRows(page, label)).toBeLessThanOrEqual(844)
    }
    return visit(service, portal.path + path, act, { as: portal.as, window })
  })

  test('a held commission says until when, and the status is chosen in the sheet of filters', () => {
    const act = async (page: Page) => {
      await untilLoaded(page, 'Commissions')
      const rows = page.getByRole('list', { name: 'Commissions' }).getByRole('listitem')
      await rows.filter({ hasText: /\$11\.00Held until \w+ \d+, \d+/ }).waitFor()
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByRole('dialog', { name: 'Filters' }).getByRole('button', { name: 'Reversed in full' }).click()
      await page.keyboard.press('Escape')
      await page.waitForURL(/state=reversed/)
      await soon(async () => expect(await rows.count()).toBe(1))
    }
    return visit(service, `${portal.path}/earnings`, act, { as: portal.as, window })
  })
})
