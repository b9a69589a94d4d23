import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../apps/server/src/config/config.ts'
import { givenProgram } from '../../../apps/server/test/support/given.ts'
import { clickEventsOf } from '../../../apps/server/test/support/records.ts'
import { startTestService } from '../../../apps/server/test/support/service.ts'
import { asPattern, blocksOf, blockWith } from './support/guides.ts'
import { givenVisitor, startBrowser } from './support/visitors.ts'

const service = await startTestService({ trustedProxies: ['127.0.0.1'] })
await startBrowser()
const program = await givenProgram(service)
const blocks = await blocksOf('first-party.md', {
  'https://track.example.com': service.url,
  'data-program-id="12"': `data-program-id="${program.id}"`,
})

const load = async (code: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-guide-'))
  await Bun.write(join(folder, 'module.mjs'), code)
  const module = await import(join(folder, 'module.mjs'))
  rmSync(folder, { recursive: true })
  return module
}

/** A shop whose server forwards /t/ as in the guide, and whose pages contain the script tag from the guide. */
const { forward } = await load(blockWith(blocks, 'js', 'forward'))
const seen: (string | null)[] = []
const shop = Bun.serve({
  port: 0,
  fetch: (request, server) => {
    if (!new URL(request.url).pathname.startsWith('/t/')) {
      const page = `<!doctype html><title>Acme</title>${blockWith(blocks, 'html', '/t/')}`
      return new Response(page, { headers: { 'content-type': 'text/html', 'set-cookie': 'session=secret' } })
    }
    seen.push(request.headers.get('cookie'))
    return forward(request, server.requestIP(request)?.address)
  },
})
const at = (host: string, path: string) => `http://${host}:${shop.port}${path}`

test('script and API work on the page’s own host, and the response header sets the cookie', async () => {
  const visitor = await givenVisitor()
  const [answer] = await Promise.all([
    visitor.page.waitForResponse('**/t/api/v1/track/click*'),
    visitor.page.goto(at('www.shop.localhost', `/?aff=${program.link.aff}`)),
  ])
  const clickId = await visitor.page.evaluate<string>('new Promise(service.ready)')
  expect(await clickEventsOf(service, program.link.id)).toMatchObject([{ clickId }])
  expect((await answer.allHeaders())['set-cookie']).toBe(
    `service_click_id=${clickId}; Max-Age=5184000; Domain=shop.localhost; Path=/; SameSite=Lax`,
  )
  const cookies = (await visitor.context.cookies()).filter(({ name }) => name !== 'session')
  expect(cookies).toMatchObject([{ name: 'service_click_id', value: clickId, domain: '.shop.localhost' }])
  expect(seen.some((cookie) => cookie?.includes('session=secret'))).toBe(true)
  await visitor.leaveForGood()
})

test('the header sets the cookie even if scripts cannot', async () => {
  const visitor = await givenVisitor()
  const devTools = await visitor.context.newCDPSession(visitor.page)
  await devTools.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await visitor.page.goto(at('www.shop.localhost', `/?aff=${program.link.aff}`))
  const clickId = await visitor.page.evaluate<string>('new Promise(service.ready)')
  expect(await visitor.cookie()).toMatchObject({ value: clickId, domain: 'www.shop.localhost' })
  await visitor.leaveForGood()
})

test('the Next.js rewrites lead to the same place as the proxy', async () => {
  const { default: config } = await load(blockWith(blocks, 'js', 'rewrites'))
  const [{ source, destination }, ...others] = await config.rewrites()
  expect(others).toEqual([])
  const path = 'service-tracker.js'
  expect(source.replace(':path*', path)).toBe(`/t/${path}`)
  expect((await fetch(destination.replace(':path*', path))).status).toBe(200)
})

test('the service accepts TRUSTED_PROXIES as shown', () => {
  const [, value] = /TRUSTED_PROXIES=(\S+)/.exec(blockWith(blocks, 'sh', 'TRUSTED_PROXIES')) ?? []
  expect(readConfig({ TRUSTED_PROXIES: value }).trustedProxies).toEqual(['203.0.113.7', '10.0.0.0/8'])
})

test('the command shows the header', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-guide-'))
  const env = { PATH: process.env.PATH, SHOP: at('localhost', ''), AFF: program.link.aff }
  const command = Bun.spawn(['bash', '-euo', 'pipefail', '-c', blockWith(blocks, 'sh', 'curl')], { cwd: folder, env })
  const output = await new Response(command.stdout).text()
  rmSync(folder, { recursive: true })
  expect(output.trim()).toMatch(asPattern(blockWith(blocks, 'text', 'set-cookie')))
})
