import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../../server/test/support/given.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { givenFreshService } from './support/service.ts'

const service = await givenFreshService()

const BROWSER = { accept: 'text/html,application/xhtml+xml' }
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })
const findAsset = async (pattern: RegExp) => pattern.exec(await (await get('/')).text())?.[1] ?? ''

describe('the page', () => {
  test('is revalidated on every load and not sent again if unchanged', async () => {
    const first = await get('/')
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('allows no inline scripts, no other hosts and no framing', async () => {
    const response = await get('/')
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy.split('; ')).toContain(rule)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const text = await response.text()
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|https?:\/\/(?!localhost)/)
  })

  test('sends HSTS over HTTPS', async () => {
    const secure = await startTestService({ baseUrl: 'https://track.example.com' })
    const response = await fetch(secure.url)
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(await response.text()).toContain('name="tributary:base-url" content="https://track.example.com"')
    expect((await get('/')).headers.get('strict-transport-security')).toBeNull()
  })

  test('says whether the first account still has to be created', async () => {
    expect(await (await get('/')).text()).toContain('name="tributary:sign-up" content="first"')
  })

  test('is served to browsers on every dashboard route', async () => {
    for (const path of ['/sign-in', '/programs/1/events?page=2', '/nowhere/at/all']) {
      const response = await get(path, BROWSER)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    }
  })

  test('is not served on unknown API paths or to non-browsers, which get a JSON 404', async () => {
    expectRefusal(await service.call('GET', '/api/nothing', undefined, BROWSER), 404, 'not_found')
    expectRefusal(await service.call('GET', '/nothing'), 404, 'not_found')
    expectRefusal(await service.call('GET', '/assets/gone.js', undefined, BROWSER), 404, 'not_found')
    expectRefusal(await service.call('POST', '/sign-in', {}, BROWSER), 404, 'not_found')
  })

  test('does not replace the service’s own routes', async () => {
    expect((await get('/docs', BROWSER)).headers.get('content-security-policy')).toStartWith(
      "default-src 'none'; style-src 'sha",
    )
    for (const path of ['/openapi.json', '/healthz', '/readyz'])
      expect((await get(path, BROWSER)).headers.get('content-type')).toStartWith('application/json')
  })
})

describe('an asset', () => {
  test('is cached forever, because its name contains a hash', async () => {
    const response = await get(await findAsset(/src="(\/assets\/[^"]+\.js)"/))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('vary')).toBe('accept-encoding')
  })

  test('is sent as Brotli, gzip or plain, as the client accepts', async () => {
    const path = await findAsset(/src="(\/assets\/[^"]+\.js)"/)
    const texts = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await get(path, { 'accept-encoding': encoding })
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      texts.add(await response.text())
    }
    expect(texts.size).toBe(1)
  })

  test('cannot be read from outside the build', async () => {
    for (const path of [
      '/assets/../.stamp',
      '/.vite/manifest.json',
      '/index.html.br',
      '/assets/%2e%2e/%2e%2e/package.json',
    ])
      expectRefusal(await service.call('GET', path), 404, 'not_found')
  })
})
