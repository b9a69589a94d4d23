import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as Axe from 'axe-core'
import type { Page } from 'playwright-core'
import { isLongRun } from '../../../server/test/support/size.ts'
import { ROOT } from './built.ts'

const source = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')

declare const axe: typeof Axe

/** The rows of a table are alike, and what axe costs grows with every cell. */
const LIKE_THOSE_ABOVE = isLongRun ? [] : ['tbody tr:nth-child(n + 5)']

/** Roles, names, contrast, landmarks: axe finds nothing to complain of. */
export const expectAccessible = async (page: Page) => {
  // Through the debugger, for the page's own policy lets no such script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  // What is half faded in has half of its contrast.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )
  const violations = await page.evaluate(async (exclude) => {
    const { violations } = await axe.run(
      { include: ['html'], exclude },
      { resultTypes: ['violations'], preload: false, selectors: false },
    )
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
  }, LIKE_THOSE_ABOVE)
  expect(violations).toEqual([])
}

/** Within flows and states of a screen: the short run has axe look at every screen once, when it is full. */
export const expectAccessibleAgain = async (page: Page) => {
  if (isLongRun) await expectAccessible(page)
}
