import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { givenService } from '../../server/test/support/shared-service.ts'
import { isLongRun } from '../../server/test/support/size.ts'
import { addMonths, parseDay, weeksOf } from '../src/components/dates/days.ts'
import { expectAccessibleAgain } from './support/accessible.ts'
import { PHONE } from './support/browser.ts'
import { givenBuiltDashboard } from './support/built.ts'
import { givenOwner } from './support/owner.ts'
import { press } from './support/press.ts'
import { soon } from './support/soon.ts'
import { expectNoSidewaysScroll, untilLoaded, visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await givenService()

test('dates are typed in several forms, and months keep their length', () => {
  expect(parseDay('2026-3-4')).toBe('2026-03-04')
  expect(parseDay(' Mar 14, 2026 ')).toBe('2026-03-14')
  for (const text of ['2026-02-30', '14', 'soon', '2026', '']) expect(parseDay(text)).toBeNull()
  expect([addMonths('2026-01-31', 1), addMonths('2026-03-31', -1), addMonths('2024-02-29', 12)]).toEqual([
    '2026-02-28',
    '2026-02-28',
    '2025-02-28',
  ])
  const weeks = weeksOf('2026-02-10')
  expect(weeks.every((week) => week.length === 7)).toBe(true)
  expect(weeks.flat()).toContain('2026-02-28')
})

test.skipIf(!isLongRun)('a range is picked with the keyboard, by clicks and from presets', async () => {
  const owner = await givenOwner(service)
  const day = (page: Page, date: string) => page.locator(`[data-day="${date}"]`)
  const act = async (page: Page) => {
    await untilLoaded(page, 'Overview')
    await press(page, /^Dates: Mar 10/)
    await page.getByRole('grid', { name: 'March 2026' }).waitFor()
    await soon(async () => expect(await page.locator(':focus').getAttribute('data-day')).toBe('2026-03-20'))
    await expectAccessibleAgain(page)
    for (const [key, target] of [
      ['ArrowLeft', '2026-03-19'],
      ['ArrowUp', '2026-03-12'],
      ['PageDown', '2026-04-12'],
      ['Shift+PageUp', '2025-04-12'],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForFunction((date) => document.activeElement?.getAttribute('data-day') === date, target)
    }
    await page.keyboard.press('Enter')
    await page.getByText('Apr 12, 2025 is the start. Pick the last day.').waitFor()
    // In either order.
    await day(page, '2025-04-02').click()
    await page.waitForURL(/dateFrom=2025-04-02.*dateTo=2025-04-12/)
    const trigger = page.getByRole('button', { name: /^Dates: Apr 2 – 12, 2025/ })
    await trigger.click()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('Dates:'))
    await trigger.click()
    await press(page, 'Last 7 days')
    await page.waitForURL((url) => !url.href.includes('2025-04'))
  }
  const path = `${owner.path}?dateFrom=2026-03-10&dateTo=2026-03-20`
  await visit(service, path, act, { as: owner.account })
  const onPhone = async (page: Page) => {
    await press(page, /^Dates: Mar 10/)
    await page.getByRole('dialog', { name: 'Choose dates' }).waitFor()
    await expectNoSidewaysScroll(page)
    const box = await page.getByRole('grid').boundingBox()
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 360).toBe(true)
  }
  await visit(service, path, onPhone, { as: owner.account, window: PHONE })
})
