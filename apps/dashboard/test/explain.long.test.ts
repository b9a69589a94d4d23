import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectCleanLayout, LOOKS } from './support/looks.ts'
import { givenScenario } from './support/scenario.ts'
import { soon } from './support/soon.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const scenario = await givenScenario(service)

const DETAILS: [title: string, path: string][] = [
  ['Sale INV-1', `/sales/${scenario.saleId}`],
  ['Sale INV-2', `/sales/${scenario.lostSaleId}`],
  ['Lead user_1', `/leads/${scenario.leadId}`],
  ['user_1', `/customers/${scenario.clickId}`],
  ['Check attribution', '/sales/check-attribution?name=INV-1'],
  ['Check attribution', '/sales/check-attribution?name=INV-2'],
  ['Check attribution', '/sales/check-attribution?name=nothing-like-it'],
]

describe.skipIf(!isLongRun).each(LOOKS)('%s', (_, window) => {
  const tour = givenTour(service, '/account', { as: scenario.account, window })
  test.each(DETAILS)('%s (%s) passes axe, does not scroll sideways, and logs no error', (title, path) => {
    const look = async (page: Page) => {
      await untilLoaded(page, title)
      await expectCleanLayout(page, window)
    }
    return tour.open({ path: scenario.path + path, title }, look)
  })
})

const tour = givenTour(service, '/account', { as: scenario.account })
const open = (path: string, title: string, act: (page: Page) => Promise<void>) =>
  tour.open({ path: scenario.path + path, title }, act)

test('the explanation of a sale shows the winning click, the others with reasons, and the commission', () =>
  open('/sales/customers', 'Customers', async (page) => {
    await page.getByRole('link', { name: /^user_1/ }).click()
    await untilLoaded(page, 'user_1')
    await page.getByText('a***@customers.example').first().waitFor()
    await page.getByRole('img', { name: /^Timeline: Click 4, Lead 1, Sale 1/ }).waitFor()
    const sale = page.getByRole('listitem').filter({ hasText: 'Sale of $49.00' })
    await sale.getByRole('link', { name: 'Check attribution' }).click()

    await untilLoaded(page, 'Sale INV-1')
    await page.getByText(/^Sale INV-1 of \$49.00 was credited to Maya Lindqvist, who referred/).waitFor()
    await page
      .getByRole('img', {
        name: /^Timeline: 4 clicks, the lead on .+ and the sale on .+\. Click 3 \(Maya Lindqvist\) won\.$/,
      })
      .waitFor()
    await page.getByText(/^Clicks before this sale\. The customer became a lead on /).waitFor()
    await page.getByText('Sale credited to Maya Lindqvist', { exact: true }).waitFor()
    const winner = page.getByRole('listitem').filter({ hasText: 'Won' })
    await soon(async () => expect(await winner.innerText()).toContain('Maya Lindqvist'))
    await soon(async () => expect(await page.getByText('Not credited: a later click replaced it.').count()).toBe(2))
    await page.getByText('Not credited: it came after the customer became a lead.').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Reversed-\$0\.90$/ })
      .waitFor()
    for (const step of ['Earned', 'Held', 'Payable'])
      await page
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^${step}`) })
        .waitFor()
    expect(await page.locator('[aria-current=step]').innerText()).toStartWith('Held')
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Commission Earned' })
      .getByText('Facts behind this decision')
      .click()
    await page.getByRole('region', { name: 'Facts for commission_earned' }).waitFor()
  }))

test('an uncredited sale says why, and what to do', () =>
  open('/sales?state=uncredited', 'Sales', async (page) => {
    await page.getByRole('cell', { name: /^Not credited No lead was reported for this customer/ }).waitFor()
    await page.getByRole('link', { name: /^INV-2/ }).click()
    await untilLoaded(page, 'Sale INV-2')
    await page
      .getByText(/was not credited to a partner because no lead was reported for this customer before the sale/)
      .waitFor()
    await page.getByText('What you can do').waitFor()
    await page
      .getByText(/^Send the customer’s lead from your server, .* You can also credit the sale to a partner manually\.$/)
      .waitFor()
  }))

describe('check attribution', () => {
  const lookUp = async (page: Page, name: string) => {
    await page.getByRole('searchbox').fill(name)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('name') === name)
  }

  test('explains an invoice, a customer key or a click ID from one field', () =>
    open('/sales/check-attribution', 'Check attribution', async (page) => {
      await lookUp(page, 'INV-2')
      await page
        .getByText(/^Sale INV-2 of \$49.00 was not credited to a partner/)
        .first()
        .waitFor()
      await lookUp(page, 'user_1')
      // The list of clicks says it already.
      await soon(async () => expect(await page.getByText(/^The click on .* was credited\.$/).count()).toBe(0))
      await page
        .getByText(/^The lead for user_1 was credited to Maya Lindqvist/)
        .first()
        .waitFor()
      await lookUp(page, scenario.clickId)
      await page
        .getByText(/^The lead for user_1 was credited to Maya Lindqvist/)
        .first()
        .waitFor()
      await page.getByRole('link', { name: 'View customer' }).click()
      await untilLoaded(page, 'user_1')
    }))

  test.skipIf(!isLongRun)('explains an unknown identifier', () =>
    open('/sales/check-attribution', 'Check attribution', async (page) => {
      await lookUp(page, 'INV-none')
      await page.getByRole('heading', { name: 'Nothing received for “INV-none”' }).waitFor()
      await page.getByText('This program has never received a sale with this invoice ID.').waitFor()
    }),
  )

  test.skipIf(!isLongRun)('opens from the command palette', () =>
    open('/sales/events', 'Events', async (page) => {
      await untilLoaded(page, 'Events')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('attribution')
      await page.keyboard.press('Enter')
      await untilLoaded(page, 'Check attribution')
    }),
  )
})

test('the event panel shows every field, the customer’s timeline, and a link to the explanation', () =>
  open('/sales/events?eventType=lead', 'Events', async (page) => {
    await page
      .getByRole('row', { name: /Maya Lindqvist/ })
      .getByRole('button')
      .click()
    const panel = page.getByRole('dialog')
    await panel.getByText(scenario.clickId).waitFor()
    await panel.getByRole('list', { name: 'Timeline' }).getByText('Refund of $9.00').waitFor()
    await expectAccessibleAgain(page)
    await panel.getByRole('link', { name: 'Check attribution' }).first().click()
    await untilLoaded(page, 'Lead user_1')
    // The attribution window covers all three clicks, so shading it would say nothing.
    await page.getByRole('img', { name: /^Timeline: 3 clicks and the lead on / }).waitFor()
    expect(await page.getByText('Shaded:').count()).toBe(0)
  }))
