import type { BrowserContextOptions, Page } from 'playwright-core'
import { sized } from '../../../server/test/support/size.ts'
import { expectAccessible } from './accessible.ts'
import { DESKTOP, LAPTOP, PHONE } from './browser.ts'
import { expectKeyboardReach, expectMenuInView } from './keyboard.ts'
import { expectNoSidewaysScroll, expectNoStrayScrollbar } from './visit.ts'

type Look = [name: string, window: BrowserContextOptions]

const LIGHT: Look = ['light, and narrow', { ...DESKTOP, colorScheme: 'light' }]

/** The windows that every screen is checked in. */
export const LOOKS: Look[] = sized({
  short: [LIGHT],
  long: [
    LIGHT,
    ['dark', { ...DESKTOP, colorScheme: 'dark' }],
    ['at 360 px', { ...PHONE, colorScheme: 'light' }],
    ['with the keyboard, at 1280 × 720', { ...LAPTOP, colorScheme: 'light' }],
  ],
})

/** The short form runs axe on every third screen of a list, by its place. */
const EVERY = sized({ short: 3, long: 1 })

/**
 * Passes axe and doesn't scroll sideways, not even at phone width. In the window of a laptop, the menu doesn't scroll and everything is
 * reached with the keyboard. Leaves the window resized, because resizing is slow.
 */
export const expectCleanLayout = async (page: Page, { viewport }: BrowserContextOptions = DESKTOP, place = 0) => {
  const wide = viewport ?? DESKTOP.viewport
  await expectNoStrayScrollbar(page)
  const wasLeftNarrow = page.viewportSize()?.width !== wide.width
  if (wasLeftNarrow) {
    await expectNoSidewaysScroll(page)
    await resize(page, wide)
  }
  if (place % EVERY === 0) await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  if (wide === LAPTOP.viewport) {
    await expectMenuInView(page)
    await expectKeyboardReach(page)
  }
  if (wasLeftNarrow) return
  for (const width of sized({ short: [360], long: [768, 390, 360] })) {
    await resize(page, { ...PHONE.viewport, width })
    await expectNoStrayScrollbar(page)
    await expectNoSidewaysScroll(page)
  }
}

/** Media queries take two frames to re-render. */
const resize = async (page: Page, size: { width: number; height: number }) => {
  await page.setViewportSize(size)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
