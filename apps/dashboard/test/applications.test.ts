import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { unique } from '../../server/test/support/given.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenColleague } from './support/earning.ts'
import { givenOwner } from './support/owner.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

/** An owner with one approved partner and these applicants. */
const givenApplications = async (...names: string[]) => {
  const owner = await givenOwner(service)
  for (const name of names) await owner.create(`/api${owner.path}/partners`, { name, status: 'pending' })
  return owner
}

/** A navigation item by its exact name. */
const item = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })

const approve = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Approve' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve partner' }).click()
}

test('pending applications show on every screen until they are decided', async () => {
  const owner = await givenApplications('Priya', 'Quentin')
  const act = async (page: Page) => {
    await untilLoaded(page, 'Setup')
    await item(page, 'Partners, 2 pending approval').click()
    await item(page, 'Applications, 2 pending approval').click()
    await untilLoaded(page, 'Applications')
    await page.getByText('2 applications').waitFor()

    await approve(page, 'Priya')
    await item(page, 'Applications, 1 pending approval').waitFor()
    await approve(page, 'Quentin')
    await page.getByRole('heading', { name: 'No applications to decide' }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners', exact: true }).waitFor()
    await item(page, 'Applications').waitFor()
  }
  await visit(service, `${owner.path}/set-up`, act, { as: owner.account })
})

test.skipIf(!isLongRun)(
  'an applicant sees no links in the portal before they are approved, and their page says so',
  async () => {
    const owner = await givenOwner(service)
    await owner.call('PATCH', `/api${owner.path}`, { applicationsOpen: true })
    const applicant = { name: 'Priya', email: `${unique('priya')}@example.com`, password: 'a long password' }
    const applied = await service.call('POST', `/api/public${owner.path}/apply`, applicant)
    expect(applied.status).toBeLessThan(300)
    const act = async (page: Page) => {
      await page.getByRole('link', { name: 'Priya' }).click()
      await untilLoaded(page, 'Priya')
      await page.getByText('Once you approve the partner, they see these links in the portal.').waitFor()
    }
    await visit(service, `${owner.path}/partners/applications`, act, { as: owner.account })
  },
)

test.skipIf(!isLongRun)('a viewer sees the applications, but no badge and no action', async () => {
  const owner = await givenApplications('Priya')
  const as = await givenColleague(service, owner, 'viewer')
  const act = async (page: Page) => {
    await page.getByRole('row', { name: /Priya/ }).waitFor()
    const places = page.getByRole('link', { name: 'Partners', exact: true })
    expect((await places.allInnerTexts()).map((text) => text.trim())).toEqual(['Partners', 'Partners'])
    await soon(async () => expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0))
  }
  await visit(service, `${owner.path}/partners/applications`, act, { as })
})

describe('the counts fit a phone and pass axe', () => {
  test.skipIf(!isLongRun).each(['light', 'dark'] as const)('%s', async (colorScheme) => {
    const owner = await givenApplications('Priya', 'Quentin')
    const onPhone = async (page: Page) => {
      await item(page, 'Applications, 2 pending approval').waitFor()
      await untilLoaded(page, 'Partners')
      await expectNoSidewaysScroll(page)
      await expectAccessibleAgain(page)
      await page.getByRole('button', { name: 'Open menu' }).click()
      await item(page, 'Partners, 2 pending approval').waitFor()
      await expectAccessibleAgain(page)
    }
    const at = { as: owner.account }
    await visit(service, `${owner.path}/partners`, onPhone, { ...at, window: { ...PHONE, colorScheme } })
    const onDesktop = async (page: Page) => {
      await item(page, 'Partners, 2 pending approval').waitFor()
      await untilLoaded(page, 'Partners')
      await expectAccessibleAgain(page)
    }
    await visit(service, `${owner.path}/partners`, onDesktop, { ...at, window: { ...DESKTOP, colorScheme } })
  })
})

describe('the newest come first, and the URL can reverse the order', () => {
  const firstRow = (page: Page, name: RegExp) => page.locator('tbody tr').first().filter({ hasText: name }).waitFor()

  test('partners', async () => {
    const owner = await givenApplications('Priya')
    const act = async (page: Page) => {
      await firstRow(page, /Priya/)
      const added = page.getByRole('columnheader', { name: 'Added' })
      await soon(async () => expect(await added.getAttribute('aria-sort')).toBe('descending'))
      await added.getByRole('button').click()
      await page.waitForURL((url) => url.searchParams.get('sort') === 'createdAt')
      await firstRow(page, /Maya/)
      await added.getByRole('button').click()
      await page.waitForURL((url) => url.searchParams.get('sort') === '-createdAt')
      await firstRow(page, /Priya/)
    }
    await visit(service, `${owner.path}/partners`, act, { as: owner.account })
  })

  test.skipIf(!isLongRun)('links', async () => {
    const owner = await givenApplications()
    for (const aff of ['older', 'newer'])
      await owner.create(`/api${owner.path}/links`, { partnerId: null, aff: `${aff}-${Date.now()}` })
    const act = async (page: Page) => {
      await firstRow(page, /newer/)
      await page.goto(`${page.url()}?sort=createdAt`)
      await page.locator('tbody tr').last().filter({ hasText: /newer/ }).waitFor()
      await page
        .locator('tbody tr')
        .first()
        .filter({ hasNotText: /newer|older/ })
        .waitFor()
    }
    await visit(service, `${owner.path}/links`, act, { as: owner.account })
  })
})
