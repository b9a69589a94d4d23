import type { BrowserContextOptions, Page } from 'playwright-core'
import { sized } from '../../../server/test/support/size.ts'
import { expectAccessible } from './accessible.ts'
import { DESKTOP, PHONE } from './browser.ts'
import { expectNoSidewaysScroll } from './visit.ts'

type Look = [name: string, window: BrowserContextOptions]

const LIGHT: Look = ['light, and narrow', { ...DESKTOP, colorScheme: 'light' }]

/** The windows in which every screen is looked at. */
export const LOOKS: Look[] = sized({
  short: [LIGHT],
  long: [LIGHT, ['dark', { ...DESKTOP, colorScheme: 'dark' }], ['at 360 px', { ...PHONE, colorScheme: 'light' }]],
})

/** It pleases axe, and does not scroll sideways, not even as narrow as a phone. */
export const expectGoodLooks = async (page: Page) => {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const wide = page.viewportSize()
  await page.setViewportSize(PHONE.viewport)
  await expectNoSidewaysScroll(page)
  if (wide) await page.setViewportSize(wide)
}
