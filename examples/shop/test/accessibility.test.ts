import { describe, expect, test } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { givenBrowser } from '../../../apps/dashboard/test/support/browser.ts'
import { sized } from '../../../apps/server/test/support/size.ts'
import { givenTributary } from './given-shop.ts'

const browser = await givenBrowser()

const { givenShop } = await givenTributary()
const { shop, processor } = await givenShop()

/** Checks for horizontal overflow and axe violations. */
const expectAccessible = async (page: Page, name: string) => {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect({ name, overflow }).toEqual({ name, overflow: 0 })
  await page.evaluate(axe.source)
  const violations = (await page.evaluate(
    'axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.nodes[0].html))',
  )) as string[]
  expect({ name, violations }).toEqual({ name, violations: [] })
}

const LOOKS = [
  ['phone', 360, 'light'],
  ['phone', 360, 'dark'],
  ['desktop', 1280, 'light'],
  ['desktop', 1280, 'dark'],
] as const

for (const [device, width, colorScheme] of LOOKS.slice(0, sized({ short: 1, long: LOOKS.length })))
  describe(`on a ${device}, ${colorScheme}`, () => {
    test('every page of the shop and the processor fits the screen and passes axe', async () => {
      // The shop's CSP would block axe.
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true })
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      for (const path of ['/', '/pricing', '/sign-up?plan=team']) {
        await page.goto(shop.url + path)
        await expectAccessible(page, path)
      }
      await page.getByLabel('Name').fill('Ann')
      await page.getByLabel('Email').fill(`${device}-${colorScheme}@example.com`)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.waitForURL(`${processor.url}/pay/*`)
      await expectAccessible(page, 'checkout')
      await page.getByRole('button', { name: 'Pay $49.00' }).click()
      await page.waitForURL(`${shop.url}/thanks*`)
      await expectAccessible(page, 'thanks')
      await page.goto(`${shop.url}/account`)
      await expectAccessible(page, 'account')
      await page.goto(processor.url)
      await expectAccessible(page, 'control')
      expect(problems).toEqual([])
      await context.close()
    })
  })
