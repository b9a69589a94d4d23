import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expectAccessible } from './support/accessible.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { expectGoodLooks, LOOKS } from './support/looks.ts'
import { addressOf, ENTRANCES, filled, MERCHANT_SCREENS } from './support/screens.ts'
import { type Account, givenDemoService } from './support/service.ts'
import { givenTour, untilShown } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

const service = await givenDemoService()
const { body } = await service.call('GET', '/api/programs', undefined, await sessionOf(service.demo))
const program = `/programs/${body.data[0].id}`

async function sessionOf(account: Account) {
  const { headers } = await service.call('POST', '/api/auth/sign-in/email', account)
  return {
    cookie: headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  }
}

const session = await sessionOf(service.demo)
const ask = async (method: string, path: string, send?: object) => {
  const answer = await service.call(method, path, send, session)
  expect(answer.status).toBeLessThan(300)
  return answer.body.data
}

/** One of everything that the demo has, and what it has not: a payout and an invitation. */
const givenNames = async () => {
  const [{ id: programId, workspaceId }] = body.data
  const api = `/api/programs/${programId}`
  const [sale] = await ask('GET', `${api}/sales?state=credited`)
  const customer = await ask('GET', `${api}/customers/${sale.customerId}`)
  const [workspace] = await ask('GET', '/api/workspaces')
  const invited = { email: 'colleague@example.com', role: 'member' }
  return {
    which: 'the first',
    programId,
    partnerId: 1,
    partnerName: 'Maya Lindqvist',
    saleId: sale.id,
    invoiceId: sale.invoiceId,
    customerId: customer.id,
    customerKey: customer.customerKey,
    leadId: customer.leadId,
    payoutId: (await ask('POST', `${api}/payouts`)).id,
    invitationId: (await ask('POST', `/api/workspaces/${workspaceId}/invitations`, invited)).id,
    workspaceName: workspace.name,
  }
}
const names = await givenNames()

const SCREENS = [
  ...ENTRANCES.map((screen) => ({ screen, as: undefined })),
  ...MERCHANT_SCREENS.map((screen) => ({ screen, as: service.demo })),
]

const open = (path: string, act: (page: Page) => Promise<void>, window: BrowserContextOptions = DESKTOP) =>
  visit(service, path, act, { as: service.demo, window })

describe.each(LOOKS)('%s', (_, window) => {
  const outside = givenTour(service, '/sign-in', { window })
  const inside = givenTour(service, '/account', { as: service.demo, window })
  test.each(SCREENS)('$screen.route has a title, pleases axe, does not scroll sideways, and logs no error', (stop) => {
    const title = filled(stop.screen.title, names)
    const look = async (page: Page) => {
      await untilShown(page, title)
      await expectGoodLooks(page, window)
    }
    return (stop.as ? inside : outside).open({ path: addressOf(stop.screen, names), title }, look)
  })
})

describe('dialogs and panels please axe as well', () => {
  test.each([
    ['links', 'New link'],
    ['partners', 'Add partner'],
    ['settings/api-keys', 'New key'],
    ['links', 'Switch program or workspace'],
    ['events', 'Filters'],
    ['partners/1', 'Set custom terms'],
    ['partners/1', 'Invite to the portal'],
    ['settings/team', 'Invite'],
  ])('%s: %s', (path, button) =>
    open(`${program}/${path}`, async (page) => {
      await page.getByRole('button', { name: button }).first().click()
      await page.locator('[role=dialog], [role=menu]').waitFor()
      await expectAccessible(page)
    }))

  test('the navigation of a phone opens, leads on, and closes', () =>
    open(
      program,
      async (page) => {
        await page.getByRole('button', { name: 'Open the menu' }).click()
        await expectAccessible(page)
        await page.getByRole('dialog').getByRole('link', { name: 'Links' }).click()
        await untilLoaded(page, 'Links')
        expect(await page.getByRole('dialog').count()).toBe(0)
      },
      PHONE,
    ))
})

describe('a list', () => {
  test('is in its address: page, filter and Back', () =>
    open(`${program}/events?eventType=sale`, async (page) => {
      await untilLoaded(page, 'Events')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.waitForURL(/eventType=sale&page=2|page=2&eventType=sale/)
      await page.getByRole('button', { name: 'Leads' }).click()
      await page.waitForURL((url) => url.searchParams.get('eventType') === 'lead' && !url.searchParams.has('page'))
      await page.goBack()
      await page.waitForURL(/page=2/)
      await page.getByRole('button', { name: 'Sales', pressed: true }).waitFor()
    }))

  test('is searched and sorted by the service, and the address says how', () =>
    open(`${program}/links`, async (page) => {
      await page.getByRole('button', { name: 'Clicks' }).click()
      await page.waitForURL(/sort=-clicks/)
      await page.getByRole('columnheader', { name: 'Clicks' }).and(page.locator('[aria-sort=descending]')).waitFor()
      await page.waitForFunction(() => document.querySelector('tbody tr')?.textContent?.includes('kenji-video'))
      await page.getByRole('searchbox').fill('pricing')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search=pricing/)
      await page.getByText('2 links').waitFor()
    }))

  test('says that a filter left nothing, and how to get back', () =>
    open(`${program}/events?search=nobody-has-this`, async (page) => {
      await page.getByText('No event found').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('cell').first().waitFor()
    }))

  test('shows its shape while it loads, and an error with a way to try again', async () => {
    const links = /\/api\/programs\/\d+\/links/
    const act = async (page: Page) => {
      let isBroken = true
      await page.route(links, (route) =>
        isBroken
          ? route.fulfill({ status: 400, json: { error: { code: 'invalid_request', message: 'A test broke it.' } } })
          : route.continue(),
      )
      await page.getByRole('link', { name: 'Links' }).click()
      await page.getByText('A test broke it.').waitFor()
      await expectAccessible(page)
      isBroken = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('cell', { name: /^maya-pricing/ }).waitFor()
    }
    await visit(service, `${program}/set-up`, act, { as: service.demo, expectedErrors: /status of 400/ })

    await open(`${program}/set-up`, async (page) => {
      await page.route(links, async (route) => {
        await page.getByRole('status').first().waitFor()
        await route.continue()
      })
      await page.getByRole('link', { name: 'Links' }).click()
      await page.getByRole('cell', { name: /^maya-pricing/ }).waitFor()
    })
  })
})
