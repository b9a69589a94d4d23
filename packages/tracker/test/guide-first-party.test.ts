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
const FORWARDED = ['/t/service-tracker.js', '/t/api/v1/track/click', '/t/api/v1/track/lead']
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
  const rewrites: { source: string; destination: string }[] = await config.rewrites()
  expect(rewrites.map(({ source }) => source)).toEqual(FORWARDED)
  for (const { source, destination } of rewrites) expect(destination).toBe(source.replace('/t/', `${service.url}/`))
  expect((await fetch(rewrites[0]?.destination ?? '')).status).toBe(200)
})

test('no proxy in the guide forwards the dashboard, its API or the sign-in', async () => {
  const [, pattern = ''] = /location ~ (\S+)/.exec(blockWith(blocks, 'nginx', 'location')) ?? []
  const [, caddy = ''] = /path (.+)/.exec(blockWith(blocks, 'text', 'handle')) ?? []
  expect(caddy.split(' ')).toEqual(FORWARDED)
  for (const path of FORWARDED) expect(path).toMatch(new RegExp(pattern))
  for (const path of ['/t/', '/t/sign-in', '/t/api/auth/sign-in/email', '/t/metrics', '/t/api/v1/track/sale']) {
    expect(path).not.toMatch(new RegExp(pattern))
    expect((await fetch(at('localhost', path))).status).toBe(404)
  }
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
