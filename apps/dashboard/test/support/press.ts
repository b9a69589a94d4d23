import type { Page } from 'playwright-core'

/** Clicks the first match: an empty list shows its button twice. */
export const press = (page: Page, name: string | RegExp, { exact = false } = {}) =>
  page.getByRole('button', { name, exact }).first().click()

/** Chooses an item of a menu. */
export const choose = async (page: Page, menu: string, item: string) => {
  await press(page, menu)
  await page.getByRole('menuitem', { name: item }).click()
}
