import type { BrowserContextOptions, Page } from 'playwright-core'
import { sized } from '../../../server/test/support/size.ts'
import { expectAccessible } from './accessible.ts'
import { DESKTOP, PHONE } from './browser.ts'
import { expectNoSidewaysScroll, expectNoStrayScrollbar } from './visit.ts'

type Look = [name: string, window: BrowserContextOptions]

const LIGHT: Look = ['light, and narrow', { ...DESKTOP, colorScheme: 'light' }]

/** The windows that every screen is checked in. */
export const LOOKS: Look[] = sized({
  short: [LIGHT],
  long: [LIGHT, ['dark', { ...DESKTOP, colorScheme: 'dark' }], ['at 360 px', { ...PHONE, colorScheme: 'light' }]],
})

/** The short form runs axe on every third screen of a list, by its place. */
const EVERY = sized({ short: 3, long: 1 })

/** Passes axe and doesn't scroll sideways, not even at phone width. Leaves the window resized, because resizing is slow. */
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
  if (wasLeftNarrow) return
  await resize(page, PHONE.viewport)
  await expectNoSidewaysScroll(page)
}

/** Media queries take two frames to re-render. */
const resize = async (page: Page, size: { width: number; height: number }) => {
  await page.setViewportSize(size)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
