import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ROOT } from './built.ts'

/** What each kind of step does. A step that matches none of them fails the test. */
const STEPS: [RegExp, (page: Page, ...words: string[]) => Promise<unknown>][] = [
  [/^Open \*\*(.+)\*\*\.$/, (page, name = '') => open(page, name)],
  [/^Choose \*\*(.+?)\*\*(?: \(.+\))?\.$/, (page, name = '') => choose(page, name)],
  [/^Select \*\*(.+)\*\*\.$/, (page, name = '') => page.getByRole('checkbox', { name }).check()],
  [/^Enter `(.+)` in \*\*(.+)\*\*\.$/, (page, text = '', label = '') => field(page, label).fill(text)],
  [/^See \*\*(.+)\*\*\.$/, (page, text = '') => visibleText(page, text).waitFor()],
  [/^Close the dialog\.$/, (page) => close(page)],
]

const dialogs = (page: Page) => page.locator('[role=dialog], [role=alertdialog]')

/** A dialog hides the page behind it from assistive technology, so roles find only what is in the dialog. */
const close = async (page: Page) => {
  await page.keyboard.press('Escape')
  await dialogs(page).waitFor({ state: 'detached' })
}

const open = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).first().click()

/** Labels of optional fields end with "Optional". */
const field = (page: Page, label: string) =>
  page
    .getByRole('textbox', { name: new RegExp(`^${RegExp.escape(label)}( ?Optional)?$`) })
    .or(page.getByLabel(label, { exact: true }).and(page.locator('input, textarea')))
    .first()

/** A button's name may go on: "Mark as paid: Maya Lindqvist". */
const choose = (page: Page, name: string) => {
  const starting = new RegExp(`^${RegExp.escape(name)}`)
  const named = (role: 'button' | 'link' | 'menuitem') => page.getByRole(role, { name: starting })
  const target = named('button').or(named('link')).or(named('menuitem'))
  return target.filter({ visible: true }).last().click()
}

const visibleText = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first()

const perform = async (page: Page, step: string) => {
  for (const [pattern, act] of STEPS) {
    const found = pattern.exec(step)
    if (found) return act(page, ...found.slice(1))
  }
  throw new Error(`no test can follow this step: ${step}`)
}

/** The numbered steps of a guide, with the heading they are under. */
const stepsOf = async (guide: string) => {
  const text = await Bun.file(join(ROOT, 'docs/guides', guide)).text()
  let section = ''
  return [...text.matchAll(/^(?:## (.+)|\d+\. (.+))$/gm)].flatMap(([, heading, step]) => {
    section = heading ?? section
    return step ? [{ section, step }] : []
  })
}

const follow = async (page: Page, guide: string, steps: { section: string; step: string }[]) => {
  for (const { section, step } of steps)
    await perform(page, step).catch((error: Error) => {
      throw new Error(`${guide}, "${section}", step "${step}": ${error.message}`)
    })
  return steps.length
}

/** Follows the numbered steps of a guide, and names the one that fails. */
export const followGuide = async (page: Page, guide: string) => follow(page, guide, await stepsOf(guide))

/** Follows the steps under one heading. */
export const followSection = async (page: Page, guide: string, section: string) =>
  follow(
    page,
    guide,
    (await stepsOf(guide)).filter((each) => each.section === section),
  )
