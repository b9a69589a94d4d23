import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { expectAccessible } from './support/accessible.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenColleague } from './support/earning.ts'
import { givenOwner } from './support/owner.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

const LAPTOP: BrowserContextOptions = { viewport: { width: 1280, height: 720 } }
const WIDE_PHONE: BrowserContextOptions = { ...PHONE, viewport: { width: 390, height: 844 } }

const PLACES = [
  'Overview',
  'Analytics',
  'Partners',
  'Links',
  'Sales',
  'Commissions',
  'Payouts',
  'Resources',
  'Settings',
]

const SETTINGS = {
  Program: ['Details', 'Tracking', 'Rewards', 'Branding'],
  Partners: ['Applications', 'Agreement', 'Notifications', 'Legal details'],
  Developers: ['API keys', 'Webhooks', 'Payment processors', 'Events received'],
  Workspace: ['Team', 'Security', 'Audit log', 'Exports'],
}

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const rail = (page: Page) => page.getByRole('navigation', { name: 'Settings' })

const expectUnscrolled = async (page: Page, name: string) => {
  const box = page.getByRole('navigation', { name })
  expect(await box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)).toBe(true)
  expect(await box.getByRole('link').last().isVisible()).toBe(true)
}

describe('the menu', () => {
  test('has nine places and, until every step is done, Setup; it and the settings fit 1280 × 720', async () => {
    const owner = await givenOwner(service)
    await owner.create(`/api${owner.path}/partners`, { name: 'Priya', status: 'pending' })
    const act = async (page: Page) => {
      await untilLoaded(page, 'Details')
      await main(page).getByRole('link', { name: 'Partners, 1 pending approval' }).waitFor()
      const names = async () => (await main(page).getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0])
      await soon(async () => expect(await names()).toEqual([...PLACES, 'Setup']))
      expect(await rail(page).getByRole('link').allInnerTexts()).toEqual(Object.values(SETTINGS).flat())
      await expectUnscrolled(page, 'Main')
      await expectUnscrolled(page, 'Settings')
      await expectAccessible(page, { withSidebar: true })
    }
    await visit(service, `${owner.path}/settings/details`, act, { as: owner.account, window: LAPTOP })
  })

  test('shows only what the role may open, and a place leads to its first tab', async () => {
    const owner = await givenOwner(service)
    const as = await givenColleague(service, owner, 'billing')
    const act = async (page: Page) => {
      await untilLoaded(page, 'Commissions')
      const links = main(page).getByRole('link')
      await soon(async () =>
        expect(await links.allInnerTexts()).toEqual(['Partners', 'Commissions', 'Payouts', 'Resources', 'Settings']),
      )
      await links.filter({ hasText: 'Partners' }).click()
      await untilLoaded(page, 'Groups')
    }
    await visit(service, owner.path, act, { as })
  })

  test('marks the place of a page in it', async () => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      for (const [path, title, place] of [
        ['/sales/check-attribution', 'Check attribution', 'Sales'],
        ['/links/codes', 'Codes', 'Links'],
        ['/partners/groups', 'Groups', 'Partners'],
        ['/commissions/adjustments', 'Adjustments', 'Commissions'],
        ['/settings/team', 'Team', 'Settings'],
      ] as const) {
        await page.goto(service.url + owner.path + path)
        await untilLoaded(page, title)
        expect(await main(page).locator('[aria-current=page]').allInnerTexts()).toEqual([place])
      }
    }
    await visit(service, owner.path, act, { as: owner.account })
  })
})

describe.each([
  ['Partners', 'Partners', ['Partners', 'Groups', 'Applications']],
  ['Links', 'Links', ['Links', 'Codes']],
  ['Sales', 'Sales', ['Sales', 'Customers', 'Events', 'Check attribution']],
] as const)('the place %s', (place, title, tabs) => {
  test('has its pages as tabs, which the keyboard opens', async () => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      await untilLoaded(page, title)
      const bar = page.getByRole('navigation', { name: place })
      expect(await bar.getByRole('link').allInnerTexts()).toEqual([...tabs])
      for (const tab of tabs) {
        await bar.getByRole('link', { name: tab, exact: true }).press('Enter')
        await untilLoaded(page, tab)
        expect(await bar.locator('[aria-current=page]').allInnerTexts()).toEqual([tab])
      }
    }
    await visit(service, `${owner.path}/${place.toLowerCase()}`, act, { as: owner.account })
  })
})

describe('settings on a phone', () => {
  test.each(['light', 'dark'] as const)('are a list, then the section, and back (%s)', async (colorScheme) => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      await untilLoaded(page, 'Settings')
      for (const [group, sections] of Object.entries(SETTINGS))
        expect(await page.getByRole('region', { name: group }).getByRole('link').allInnerTexts()).toEqual(sections)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.getByRole('link', { name: 'Tracking' }).click()
      await untilLoaded(page, 'Tracking')
      await soon(async () => expect(await rail(page).isVisible()).toBe(false))
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
      await untilLoaded(page, 'Settings')
    }
    await visit(service, `${owner.path}/settings`, act, {
      as: owner.account,
      window: { ...WIDE_PHONE, colorScheme },
    })
  })

  test('become the details once the window is wide enough', async () => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      await untilLoaded(page, 'Settings')
      await page.setViewportSize(DESKTOP.viewport)
      await untilLoaded(page, 'Details')
    }
    await visit(service, `${owner.path}/settings`, act, { as: owner.account, window: WIDE_PHONE })
  })
})

/** Every address that changed. Emails, bookmarks and other people's documents have them. */
const MOVED = [
  ['/events?eventType=lead&country=DE', '/sales/events?eventType=lead&country=DE'],
  ['/customers?search=ada&page=2', '/sales/customers?search=ada&page=2'],
  ['/customers/1_nothing?back=sales', '/sales/customers/1_nothing?back=sales'],
  ['/leads/999999', '/sales/leads/999999'],
  ['/why?name=INV-1', '/sales/check-attribution?name=INV-1'],
  ['/adjustments?type=bonus', '/commissions/adjustments?type=bonus'],
  ['/processor', '/settings/payment-processors'],
  ['/processor?fate=waiting&reason=no_metadata', '/settings/events-received?fate=waiting&reason=no_metadata'],
  ['/partners?status=pending&search=ada', '/partners/applications?search=ada'],
  ['/settings', '/settings/details'],
  ['/settings/program#websites', '/settings/details#websites'],
  ['/settings/groups', '/partners/groups'],
  ['/settings/audit?search=key', '/settings/audit-log?search=key'],
] as const

describe('an old address', () => {
  test('redirects, with its query', async () => {
    const owner = await givenOwner(service)
    const act = async (page: Page) => {
      const addressNow = () => page.url().slice((service.url + owner.path).length)
      for (const [before, now] of MOVED) {
        await page.goto(service.url + owner.path + before)
        await page.locator('h1, h2').first().waitFor()
        await soon(async () => expect(addressNow()).toBe(now))
      }
    }
    await visit(service, owner.path, act, { as: owner.account, expectedErrors: /status of 40[04]/ })
  })

  test('that never existed is still not found', async () => {
    const owner = await givenOwner(service)
    const act = (page: Page) => untilLoaded(page, 'Page not found')
    await visit(service, `${owner.path}/nothing/here`, act, { as: owner.account })
    await visit(service, `${owner.path}/settings/nothing`, act, { as: owner.account })
  })
})
