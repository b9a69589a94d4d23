import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenClick } from '../../server/test/support/given.ts'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun, sized } from '../../server/test/support/size.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenScenario } from './support/scenario.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()
const scenario = await givenScenario(service)
const { partnerId } = scenario.link
for (let count = 0; count < 12; count++) await givenClick(service, scenario.link)
const LONG = {
  name: 'Bartholomew Featherstonehaugh Affiliate Marketing',
  email: 'bartholomew@featherstonehaugh.example',
}
expect((await scenario.owner.call('POST', `${scenario.api}/groups`, { name: 'Gold' })).status).toBe(201)
await service.db.updateTable('partners').set(LONG).where('id', '=', partnerId).execute()
await scenario.owner.call('PATCH', `${scenario.api}/partners/${partnerId}`, { status: 'suspended' })

test.each(
  sized({ short: [1280], long: [1280, 1024, 768] }),
)('the row menu is visible without scrolling at %i px', async (width) => {
  const act = async (page: Page) => {
    for (const [title, path] of [
      ['Links', '/links'],
      ['Partners', '/partners'],
    ] as const) {
      await page.goto(service.url + scenario.path + path)
      await untilLoaded(page, title)
      const menu = page.getByRole('table').getByRole('button', { name: /^Actions for/ })
      await menu.first().waitFor()
      const box = await menu.first().boundingBox()
      const list = page.getByRole('region', { name: title === 'Links' ? 'Referral links' : title })
      const frame = await list.boundingBox()
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0))
      const [visible, needed] = await list.evaluate((region) => [region.clientWidth, region.scrollWidth])
      // Fractions of a pixel are rounded up in one and down in the other.
      if (width === 1280) expect((needed ?? 0) - (visible ?? 0)).toBeLessThanOrEqual(1)
      await menu.first().click()
      await page.getByRole('menuitem').first().waitFor()
      await page.keyboard.press('Escape')
    }
  }
  const window = { viewport: { width, height: 800 } }
  await visit(service, `${scenario.path}/links`, act, { as: scenario.account, window })
})

test.skipIf(!isLongRun)('a phone shows at least ten events at once', async () => {
  const act = async (page: Page) => {
    await untilLoaded(page, 'Events')
    const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
    await rows.nth(11).waitFor()
    const bottom = await rows.nth(9).evaluate((row) => row.getBoundingClientRect().bottom)
    expect(bottom).toBeLessThanOrEqual(844)
    await rows.first().getByText(LONG.name).waitFor()
    await expectNoSidewaysScroll(page)
    await rows.first().getByRole('button', { name: 'Click' }).click()
    await page.getByRole('dialog').waitFor()
  }
  const window = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  await visit(service, `${scenario.path}/sales/events`, act, { as: scenario.account, window })
})
