import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenProcessor } from '../../server/test/processor/given-processor.ts'
import { stripePayment } from '../../server/test/processor/stripe-events.ts'
import { givenDraft, givenPayingProgram, givenPayoutDetails, givenSale } from '../../server/test/support/money.ts'
import { DAY_MS } from '../../server/test/support/service.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { givenReceiver, LOCAL } from '../../server/test/webhooks/given-webhooks.ts'
import { expectAccessible } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenEarned } from './support/earning.ts'
import { givenPartnerAccount } from './support/partner.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService(LOCAL)
const window = { ...PHONE, viewport: { width: 390, height: 844 } }

/** Twelve sales of twelve customers, twelve more partners with a link and without a sale, twelve keys and twelve bonuses. */
const givenLists = async () => {
  const { owner, sell, partnerId } = await givenEarned(service)
  const bonus = { type: 'bonus', partnerId, amountCents: 5_000, reason: 'The video of the month' }
  for (let number = 1; number <= 12; number++) {
    service.clock.advance(DAY_MS / 24)
    await sell(1_000 * number, {}, `INV-${number}`)
    const partner = await owner.create(`/api${owner.path}/partners`, { name: `Partner ${number}` })
    await owner.create(`/api${owner.path}/links`, { partnerId: partner.id })
    await owner.create(`/api${owner.path}/api-keys`, { name: `Key ${number}` })
    await owner.create(`/api${owner.path}/adjustments`, bonus)
  }
  return owner
}
const owner = await givenLists()

const LISTS = [
  ['Sales', '/sales', 'Sales'],
  ['Partners', '/partners', 'Partners'],
  ['Links', '/links', 'Referral links'],
  ['Commissions', '/commissions', 'Commissions'],
  ['Adjustments', '/commissions/adjustments', 'Adjustments'],
  ['API keys', '/settings/api-keys', 'API keys'],
  ['Audit log', '/settings/audit-log', 'Audit log'],
] as const

/** They have more above the list. */
const BEGIN_LOWER = /commissions|settings/

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
      if (!BEGIN_LOWER.test(path)) expect(bottom).toBeLessThanOrEqual(844)
    }
    await visit(service, owner.path + path, act, { as: owner.account, window })
  })

  test.each([
    ['Team', '/settings/team', 'Members'],
    ['Team', '/settings/team', 'Invitations'],
    ['Groups', '/partners/groups', 'Groups'],
    ['Payout draft', '/payouts/draft', 'Payments in the draft'],
    ['Payout', '/payouts/$payoutId', 'Payments in payout'],
    ['Webhooks', '/settings/webhooks', 'Webhook endpoints'],
    ['Webhooks', '/settings/webhooks', 'Deliveries'],
    ['Events received', '/settings/events-received', 'Events received'],
  ] as const)('%s %s has two lines a row: %s', async (title, path, label) => {
    const act = async (page: Page) => {
      await untilLoaded(page, title)
      const rows = page.getByRole('list', { name: label }).getByRole('listitem')
      await rows.first().waitFor()
      for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(TWO_LINES_PX)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    const { payoutId, api, owner } = await shop
    await visit(service, api.replace('/api', '') + path.replace('$payoutId', String(payoutId)), act, {
      as: owner,
      window,
    })
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

/** With the padding of a row. */
const TWO_LINES_PX = 60

/** A program with a payout, a draft with a changed amount, a webhook endpoint, an invited colleague and events of a processor. */
const givenShop = async () => {
  const program = await givenProcessor(service, { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 })
  const { api, owner, workspaceId } = program
  await givenPayoutDetails(service, {
    programId: program.id,
    partnerId: program.link.partnerId,
    method: 'paypal',
    account: 'maya@example.com',
  })
  const { url } = givenReceiver()
  expect((await owner.call('POST', `${api}/webhook-endpoints`, { url, events: ['*'] })).status).toBe(201)
  const invited = { email: 'colleague@example.com', role: 'member' }
  expect((await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, invited)).status).toBe(201)
  await givenSale(program, 1_000)
  const { id: payoutId } = await program.pay()
  await givenSale(program, 2_000)
  await givenDraft(service, program)
  await givenSale(program, 3_000)
  await program.send((await program.payment()).completed(), stripePayment().completed())
  return { api, owner, payoutId }
}
const shop = givenShop()

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
