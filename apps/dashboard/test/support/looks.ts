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

/**
 * It pleases axe, and does not scroll sideways, not even as narrow as a phone. The window is left as it was looked at
 * last, for to change it costs as much as a screen: the next one begins with that.
 */
export const expectGoodLooks = async (page: Page, { viewport }: BrowserContextOptions = DESKTOP) => {
  const wide = viewport ?? DESKTOP.viewport
  const wasLeftNarrow = page.viewportSize()?.width !== wide.width
  if (wasLeftNarrow) {
    await expectNoSidewaysScroll(page)
    await resize(page, wide)
  }
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  if (wasLeftNarrow) return
  await resize(page, PHONE.viewport)
  await expectNoSidewaysScroll(page)
}

/** What a media query renders anew is there two frames later. */
const resize = async (page: Page, size: { width: number; height: number }) => {
  await page.setViewportSize(size)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
