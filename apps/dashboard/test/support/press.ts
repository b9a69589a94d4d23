import type { Page } from 'playwright-core'

/** The first of that name: an empty list offers its first step twice, above and in its middle. */
export const press = (page: Page, name: string | RegExp, { exact = false } = {}) =>
  page.getByRole('button', { name, exact }).first().click()
