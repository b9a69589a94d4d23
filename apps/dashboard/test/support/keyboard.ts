import { expect } from 'bun:test'
import type { Page } from 'playwright-core'

type Walk = { left: Set<Element>; unmarked: Set<string>; nameOf: (element: Element) => string }
declare global {
  interface Window {
    walk: Walk
  }
}

/** What can be operated: of tabs, radio buttons and the like, arrow keys reach the others. Of hidden twins of a control, none. */
const startWalk = () => {
  const nameOf = (element: Element) =>
    `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)}`
  const isOperable = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [aria-hidden=true]') &&
    !(element.tabIndex < 0 && element.closest('[role=tablist], [role=radiogroup], [role=menu], [role=toolbar]')) &&
    !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked)
  const elements = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')
  const left = new Set<Element>([...elements].filter(isOperable))
  const unmarked = new Set<string>()
  window.walk = { left, unmarked, nameOf }
  const hasOutline = (style: CSSStyleDeclaration) =>
    style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0
  addEventListener('focusin', ({ target }) => {
    // A list of tabs passes the focus on to the current one.
    if (!(target instanceof HTMLElement) || target.matches('[role=tablist]')) return
    left.delete(target)
    // A row shows it around itself, and a switch or a hidden input next to itself.
    const places = [target, target.parentElement, target.nextElementSibling].filter((place) => place !== null)
    const styles = [getComputedStyle(target, '::after'), ...places.map((place) => getComputedStyle(place))]
    if (!styles.some(hasOutline)) unmarked.add(nameOf(target))
  })
}

/** More than once around: some controls, such as dates, have several stops. */
const MOST_STOPS = 400

/** Tab reaches everything that can be operated, and each stop shows that it has the focus. */
export const expectKeyboardReach = async (page: Page) => {
  await page.evaluate(startWalk)
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => window.walk.left.size === 0)) break
  }
  const found = await page.evaluate(() => {
    const { left, unmarked, nameOf } = window.walk
    return { unreached: [...left].filter((element) => element.isConnected).map(nameOf), unmarked: [...unmarked] }
  })
  expect(found).toEqual({ unreached: [], unmarked: [] })
}

/** On a small laptop, all places and settings are in view. */
export const expectMenuInView = async (page: Page) => {
  const scrolled = await page.evaluate(() =>
    [...document.querySelectorAll('aside, aside *, nav')]
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
      .map(({ className, scrollHeight, clientHeight }) => `${className}: ${scrollHeight} in ${clientHeight} px`),
  )
  expect(scrolled).toEqual([])
}
