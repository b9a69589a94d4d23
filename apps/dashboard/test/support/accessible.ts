import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as Axe from 'axe-core'
import type { Page } from 'playwright-core'
import { isLongRun } from '../../../server/test/support/size.ts'
import { ROOT } from './built.ts'

const source = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')

declare const axe: typeof Axe

/** Table rows are alike, and every cell slows axe down. */
const REPEATED_ROWS = isLongRun ? [] : ['tbody tr:nth-child(n + 4)']

/** The same on every screen, and a third of the work: one test for each look asks for it. */
const SIDEBAR = ['aside']

/** Fails on any axe violation: roles, names, contrast, landmarks. */
export const expectAccessible = async (page: Page, { withSidebar = false } = {}) => {
  // Injected through the debugger, because the page's CSP blocks inline scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  // Elements that are still fading in have too little contrast.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )
  const violations = await page.evaluate(
    async (exclude) => {
      const { violations } = await axe.run(
        { include: ['html'], exclude },
        { resultTypes: ['violations'], preload: false, selectors: false },
      )
      return violations.map(
        ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      )
    },
    [...REPEATED_ROWS, ...(withSidebar ? [] : SIDEBAR)],
  )
  expect(violations).toEqual([])
}

/** For flows and extra states, in the long run only: the short run checks every loaded screen once. */
export const expectAccessibleAgain = async (page: Page) => {
  if (isLongRun) await expectAccessible(page)
}
