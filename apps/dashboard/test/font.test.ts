import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DIST } from './support/built.ts'
import { givenFreshService } from './support/service.ts'
import { visit } from './support/visit.ts'

const BUDGET_BYTES = 60 * 1024
const service = await givenFreshService()

test('the built dashboard has one font of at most 60 KB, with its license', () => {
  const fonts = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(woff2?|ttf|otf)$/.test(name),
  )
  expect(fonts).toHaveLength(1)
  expect(statSync(join(DIST, fonts[0] ?? '')).size).toBeLessThanOrEqual(BUDGET_BYTES)
  expect(readFileSync(join(DIST, 'inter-license.txt'), 'utf8')).toContain('SIL OPEN FONT LICENSE Version 1.1')
})

test('text is in Inter from the service itself, cached forever, and figures have one width', async () => {
  const requested: string[] = []
  await visit(service, '/sign-in', async (page) => {
    page.on('request', (request) => request.resourceType() === 'font' && requested.push(request.url()))
    await page.reload()
    await page.locator('h1').first().waitFor()
    const shown = await page.evaluate(() => {
      const widthOf = (text: string) => {
        const line = document.createElement('span')
        line.className = 'tabular-nums'
        line.textContent = text
        document.body.append(line)
        const { width } = line.getBoundingClientRect()
        line.remove()
        return width
      }
      return {
        loaded: [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
        isTabular: widthOf('1111') === widthOf('0987'),
      }
    })
    expect(shown).toEqual({ loaded: ['Inter'], isTabular: true })
  })
  expect(requested).toHaveLength(1)
  expect(requested[0]).toStartWith(`${service.url}/assets/inter-`)
  const { status, headers } = await fetch(requested[0] ?? '')
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'font/woff2',
    'public, max-age=31536000, immutable',
  ])
})

test('a font that arrives late moves nothing', async () => {
  await visit(service, '/sign-in', async (page) => {
    await page.route('**/*.woff2', async (route) => {
      await page.locator('h1').first().waitFor()
      await Bun.sleep(300)
      await route.continue()
    })
    const font = page.waitForResponse('**/*.woff2')
    await page.reload({ waitUntil: 'commit' })
    await page.locator('h1').first().waitFor()
    const textBox = () =>
      page.evaluate(() => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('h1') as Element)
        return range.getBoundingClientRect().toJSON()
      })
    const before = await textBox()
    await font
    await page.evaluate('document.fonts.ready.then(() => true)')
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await textBox()).toEqual(before)
  })
})
