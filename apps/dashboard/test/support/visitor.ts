import type { Page } from 'playwright-core'

/** Clicks like a visitor with a mouse, and counts every click. Everything else is typed. */
export const givenVisitor = (page: Page) => {
  const clicked: string[] = []
  const click = async (role: 'link' | 'button' | 'checkbox', name: string | RegExp) => {
    clicked.push(String(name))
    const found = page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name })
    await found.filter({ visible: true }).last().click()
  }
  /** Each form starts in its first field, so Tab is enough to fill it in. */
  const type = async (...fields: [label: string, text: string][]) => {
    for (const [index, [label, text]] of fields.entries()) {
      if (index > 0) await page.keyboard.press('Tab')
      const field = page.getByLabel(label, { exact: true })
      await page.waitForFunction((element) => element === document.activeElement, await field.elementHandle())
      await page.keyboard.type(text)
    }
  }
  /** Moves on with Tab to a field that has a default, and replaces it. */
  const replace = async (label: string, text: string) => {
    const field = await page.getByLabel(label, { exact: true }).elementHandle()
    const isThere = () => page.evaluate((element) => element === document.activeElement, field)
    for (let presses = 0; presses < 20 && !(await isThere()); presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  return { clicked, click, type, replace, copied }
}
