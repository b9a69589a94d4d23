import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../../server/test/support/given.ts'
import { startTestService } from '../../server/test/support/service.ts'
import { givenFreshService } from './support/service.ts'

const service = await givenFreshService()

const BROWSER = { accept: 'text/html,application/xhtml+xml' }
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers })
const assetIn = async (pattern: RegExp) => pattern.exec(await (await get('/')).text())?.[1] ?? ''

describe('the page', () => {
  test('is checked for a newer one each time, and not sent twice', async () => {
    const first = await get('/')
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('lets no script stand in it, asks no other host, and is framed by nobody', async () => {
    const response = await get('/')
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy.split('; ')).toContain(rule)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const text = await response.text()
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|https?:\/\/(?!localhost)/)
  })

  test('says over https that https is all there is', async () => {
    const secure = await startTestService({ baseUrl: 'https://track.example.com' })
    const response = await fetch(secure.url)
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(await response.text()).toContain('name="tributary:base-url" content="https://track.example.com"')
    expect((await get('/')).headers.get('strict-transport-security')).toBeNull()
  })

  test('knows whether the first account is still to be made', async () => {
    expect(await (await get('/')).text()).toContain('name="tributary:sign-up" content="first"')
  })

  test('answers a browser at every address that only the dashboard knows', async () => {
    for (const path of ['/sign-in', '/programs/1/events?page=2', '/nowhere/at/all']) {
      const response = await get(path, BROWSER)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    }
  })

  test('leaves unknown addresses of the API, and whoever is no browser, to the JSON 404', async () => {
    expectRefusal(await service.call('GET', '/api/nothing', undefined, BROWSER), 404, 'not_found')
    expectRefusal(await service.call('GET', '/nothing'), 404, 'not_found')
    expectRefusal(await service.call('GET', '/assets/gone.js', undefined, BROWSER), 404, 'not_found')
    expectRefusal(await service.call('POST', '/sign-in', {}, BROWSER), 404, 'not_found')
  })

  test('leaves the routes of the service as they are', async () => {
    expect((await get('/docs', BROWSER)).headers.get('content-security-policy')).toStartWith(
      "default-src 'none'; style-src 'sha",
    )
    for (const path of ['/openapi.json', '/healthz', '/readyz'])
      expect((await get(path, BROWSER)).headers.get('content-type')).toStartWith('application/json')
  })
})

describe('an asset', () => {
  test('is kept for ever, for its name holds its hash', async () => {
    const response = await get(await assetIn(/src="(\/assets\/[^"]+\.js)"/))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('vary')).toBe('accept-encoding')
  })

  test('comes as Brotli, as gzip or plain, as the caller can read it', async () => {
    const path = await assetIn(/src="(\/assets\/[^"]+\.js)"/)
    const texts = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await get(path, { 'accept-encoding': encoding })
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      texts.add(await response.text())
    }
    expect(texts.size).toBe(1)
  })

  test('is not found outside of the build', async () => {
    for (const path of [
      '/assets/../.stamp',
      '/.vite/manifest.json',
      '/index.html.br',
      '/assets/%2e%2e/%2e%2e/package.json',
    ])
      expectRefusal(await service.call('GET', path), 404, 'not_found')
  })
})
