import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expectAccessible } from './support/accessible.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { expectCleanLayout, LOOKS } from './support/looks.ts'
import { fillNames, MERCHANT_SCREENS, PUBLIC_SCREENS, screenPath } from './support/screens.ts'
import { type Account, givenDemoService } from './support/service.ts'
import { soon } from './support/soon.ts'
import { givenTour, untilShown } from './support/tour.ts'
import { untilLoaded, visit } from './support/visit.ts'

const service = await givenDemoService()
const { body } = await service.call('GET', '/api/programs', undefined, await signIn(service.demo))
const program = `/programs/${body.data[0].id}`

async function signIn(account: Account) {
  const { headers } = await service.call('POST', '/api/auth/sign-in/email', account)
  return {
    cookie: headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  }
}

const session = await signIn(service.demo)
const request = async (method: string, path: string, send?: object) => {
  const response = await service.call(method, path, send, session)
  expect(response.status).toBeLessThan(300)
  return response.body.data
}

/** One record of each kind in the demo, plus a payout and an invitation, which the demo lacks. */
const givenNames = async () => {
  const [{ id: programId, workspaceId }] = body.data
  const api = `/api/programs/${programId}`
  const [sale] = await request('GET', `${api}/sales?state=credited`)
  const customer = await request('GET', `${api}/customers/${sale.customerId}`)
  const [workspace] = await request('GET', '/api/workspaces')
  const payout = await request('POST', `${api}/payouts`)
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
    payoutId: payout.id,
    lineId: payout.lines[0].id,
    invitationId: (await request('POST', `/api/workspaces/${workspaceId}/invitations`, invited)).id,
    workspaceName: workspace.name,
  }
}
const names = await givenNames()

const SCREENS = [
  ...PUBLIC_SCREENS.map((screen) => ({ screen, as: undefined })),
  ...MERCHANT_SCREENS.map((screen) => ({ screen, as: service.demo })),
]

const open = (path: string, act: (page: Page) => Promise<void>, window: BrowserContextOptions = DESKTOP) =>
  visit(service, path, act, { as: service.demo, window })

describe.each(LOOKS)('%s', (_, window) => {
  const outside = givenTour(service, '/sign-in', { window })
  const inside = givenTour(service, '/account', { as: service.demo, window })
  test.each(SCREENS)('$screen.route has a title, passes axe, does not scroll sideways, and logs no error', (stop) => {
    const title = fillNames(stop.screen.title, names)
    const look = async (page: Page) => {
      await untilShown(page, title)
      await expectCleanLayout(page, window)
    }
    return (stop.as ? inside : outside).open({ path: screenPath(stop.screen, names), title }, look)
  })

  test('the sidebar passes axe too', () =>
    inside.open({ path: `${program}/links`, title: 'Links' }, async (page) => {
      await untilShown(page, 'Links')
      await page.setViewportSize(window.viewport ?? DESKTOP.viewport)
      await expectAccessible(page, { withSidebar: true })
    }))
})

describe('dialogs and panels pass axe', () => {
  test.each([
    ['links', 'Create link'],
    ['links/codes', 'Add code'],
    ['partners', 'Add partner'],
    ['settings/api-keys', 'Create key'],
    ['settings/webhooks', 'Add endpoint'],
    ['links', 'Switch program or workspace'],
    ['events', 'Filters'],
    ['partners/1', 'Set custom terms'],
    ['partners/2', 'Invite to portal'],
    ['settings/team', 'Invite member'],
  ])('%s: %s', (path, button) =>
    open(`${program}/${path}`, async (page) => {
      await page.getByRole('button', { name: button }).first().click()
      await page.locator('[role=dialog], [role=menu]').waitFor()
      await expectAccessible(page)
    }))

  test('the phone navigation opens, navigates and closes', () =>
    open(
      program,
      async (page) => {
        await page.getByRole('button', { name: 'Open menu' }).click()
        await expectAccessible(page)
        await page.getByRole('dialog').getByRole('link', { name: 'Links' }).click()
        await untilLoaded(page, 'Links')
        await soon(async () => expect(await page.getByRole('dialog').count()).toBe(0))
      },
      PHONE,
    ))
})

describe('a list', () => {
  test('keeps its page and filter in the URL, and Back works', () =>
    open(`${program}/sales/events?eventType=sale`, async (page) => {
      await untilLoaded(page, 'Events')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.waitForURL(/eventType=sale&page=2|page=2&eventType=sale/)
      await page.getByRole('button', { name: 'Leads' }).click()
      await page.waitForURL((url) => url.searchParams.get('eventType') === 'lead' && !url.searchParams.has('page'))
      await page.goBack()
      await page.waitForURL(/page=2/)
      await page.getByRole('button', { name: 'Sales', pressed: true }).waitFor()
    }))

  test('is searched and sorted by the service, with the state in the URL', async () => {
    const [mostClicked] = await request('GET', `/api${program}/links?sort=-clicks`)
    const found = await request('GET', `/api${program}/links?search=pricing`)
    await open(`${program}/links`, async (page) => {
      await page.getByRole('button', { name: 'Clicks' }).click()
      await page.waitForURL(/sort=-clicks/)
      await page.getByRole('columnheader', { name: 'Clicks' }).and(page.locator('[aria-sort=descending]')).waitFor()
      await page
        .getByRole('row')
        .nth(1)
        .and(page.getByRole('row', { name: mostClicked.aff }))
        .waitFor()
      await page.getByRole('searchbox').fill('pricing')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search=pricing/)
      await page.getByText(`${found.length} links`).waitFor()
    })
  })

  test('offers to clear filters that match nothing', () =>
    open(`${program}/sales/events?search=matches-nothing`, async (page) => {
      await page.getByText('No events found').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('cell').first().waitFor()
    }))

  test('shows a skeleton while loading, and an error with a retry button', async () => {
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
      await page.getByRole('cell', { name: /aff=maya-pricing/ }).waitFor()
    }
    await visit(service, `${program}/set-up`, act, { as: service.demo, expectedErrors: /status of 400/ })

    await open(`${program}/set-up`, async (page) => {
      await page.route(links, async (route) => {
        await page.getByRole('status').first().waitFor()
        await route.continue()
      })
      await page.getByRole('link', { name: 'Links' }).click()
      await page.getByRole('cell', { name: /aff=maya-pricing/ }).waitFor()
    })
  })
})
