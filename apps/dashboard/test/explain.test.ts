import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startTestService } from '../../server/test/support/service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { expectGoodLooks, LOOKS } from './support/looks.ts'
import { givenStory } from './support/story.ts'
import { givenTour } from './support/tour.ts'
import { untilLoaded } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const story = await givenStory(service)

const DETAILS: [title: string, path: string][] = [
  ['Sale INV-1', `/sales/${story.saleId}`],
  ['Sale INV-2', `/sales/${story.lostSaleId}`],
  ['Sign-up of user_1', `/leads/${story.leadId}`],
  ['user_1', `/customers/${story.clickId}`],
  ['Why was this not credited?', '/why?name=INV-2'],
  ['Why was this not credited?', '/why?name=nothing-like-it'],
]

describe.skipIf(!isLongRun).each(LOOKS)('%s', (_, window) => {
  const tour = givenTour(service, '/account', { as: story.account, window })
  test.each(DETAILS)('%s (%s) pleases axe, does not scroll sideways, and logs no error', (title, path) => {
    const look = async (page: Page) => {
      await untilLoaded(page, title)
      await expectGoodLooks(page, window)
    }
    return tour.open({ path: story.path + path, title }, look)
  })
})

const tour = givenTour(service, '/account', { as: story.account })
const open = (path: string, title: string, act: (page: Page) => Promise<void>) =>
  tour.open({ path: story.path + path, title }, act)

test('from click to sign-up to sale: the explanation shows the winner, the losers and why, and the money', () =>
  open('/customers', 'Customers', async (page) => {
    await page.getByRole('button', { name: /^user_1/ }).click()
    await untilLoaded(page, 'user_1')
    await page.getByText('a***@customers.example').first().waitFor()
    await page.getByRole('img', { name: /^Time line: Click 4, Sign-up 1, Sale 1/ }).waitFor()
    const sale = page.getByRole('listitem').filter({ hasText: 'Sale of $49.00' })
    await sale.getByRole('link', { name: 'Explain' }).click()

    await untilLoaded(page, 'Sale INV-1')
    await page.getByText(/^Sale INV-1 of 49.00 USD was credited to Maya Lindqvist, because/).waitFor()
    await page.getByRole('img', { name: /4 clicks and the sale .* Click 3, of Maya Lindqvist, won\.$/ }).waitFor()
    const winner = page.getByRole('listitem').filter({ hasText: 'Won' })
    expect(await winner.innerText()).toContain('Maya Lindqvist')
    expect(await page.getByText('Did not count: a later click took its place.').count()).toBe(2)
    await page.getByText('Did not count: it came after the sign-up had bound the customer.').waitFor()
    for (const step of ['Earned', 'Reversed', 'Held', 'To be paid'])
      await page
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^${step}`) })
        .waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Commission Earned' })
      .getByText('Facts behind this decision')
      .click()
    await page.getByRole('region', { name: 'Facts of commission_earned' }).waitFor()
  }))

test('a sale that nobody is credited for says why, and what to do', () =>
  open('/sales?state=uncredited', 'Sales', async (page) => {
    await page.getByRole('cell', { name: /^Not credited No sign-up with this customer key had been/ }).waitFor()
    await page.getByRole('button', { name: /^INV-2/ }).click()
    await untilLoaded(page, 'Sale INV-2')
    await page.getByText(/was credited to nobody, because no sign-up with this customer key/).waitFor()
    await page.getByText('What you can do').waitFor()
    await page.getByText(/^Send the lead of this customer with the click_id/).waitFor()
  }))

describe('why was this not credited?', () => {
  const ask = async (page: Page, name: string) => {
    await page.getByRole('searchbox').fill(name)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('name') === name)
  }

  test('is answered by an invoice, a customer key and a click ID, without saying which it is', () =>
    open('/why', 'Why was this not credited?', async (page) => {
      await ask(page, 'INV-2')
      await page
        .getByText(/^Sale INV-2 of 49.00 USD was credited to nobody/)
        .first()
        .waitFor()
      await ask(page, 'user_1')
      await page
        .getByText(/^The sign-up of user_1 was credited to Maya Lindqvist/)
        .first()
        .waitFor()
      await ask(page, story.clickId)
      await page
        .getByText(/^The sign-up of user_1 was credited to Maya Lindqvist/)
        .first()
        .waitFor()
      await page.getByRole('link', { name: 'Open the customer' }).click()
      await untilLoaded(page, 'user_1')
    }))

  test('is answered for what never came', () =>
    open('/why', 'Why was this not credited?', async (page) => {
      await ask(page, 'INV-none')
      await page.getByRole('heading', { name: 'Nothing was ever received as INV-none' }).waitFor()
      await page.getByText('No sale with this invoice ID was ever recorded in this program.').waitFor()
    }))

  test.skipIf(!isLongRun)('is a few letters away in the command palette', () =>
    open('/events', 'Events', async (page) => {
      await untilLoaded(page, 'Events')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('why')
      await page.keyboard.press('Enter')
      await untilLoaded(page, 'Why was this not credited?')
    }),
  )
})

test('the panel of an event has every field, the time line of its customer, and the way to the explanation', () =>
  open('/events?eventType=lead', 'Events', async (page) => {
    await page
      .getByRole('row', { name: /Maya Lindqvist/ })
      .getByRole('button')
      .click()
    const panel = page.getByRole('dialog')
    await panel.getByText(story.clickId).waitFor()
    await panel.getByRole('list', { name: 'All that happened' }).getByText('Refund of $9.00').waitFor()
    await expectAccessibleAgain(page)
    await panel.getByRole('link', { name: 'Explain' }).first().click()
    await untilLoaded(page, 'Sign-up of user_1')
  }))
