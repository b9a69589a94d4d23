import type { Page } from 'playwright-core'
import { untilLoaded } from './visit.ts'

export const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** Uses the main navigation. */
export const go = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
  await untilLoaded(page, name)
}
