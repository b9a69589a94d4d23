import { describe, expect, test } from 'bun:test'
import { Hono } from 'hono'
import type { Env } from '../../src/http/context.ts'
import { securityHeaders } from '../../src/http/security-headers.ts'
import { invalidSecurityHeaders } from '../support/invalid-headers.ts'
import { startTestService } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const secure = await startTestService({ baseUrl: 'https://track.example.com' })

describe('every response', () => {
  test('with a page forbids framing, content sniffing and foreign scripts', async () => {
    for (const path of ['/', '/docs', '/invite/unknown']) {
      const { headers } = await fetch(service.url + path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/script-src[^;]*unsafe/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('strict-transport-security')).toBeNull()
    }
  })

  test('has only headers and policies that browsers understand', async () => {
    for (const path of [
      '/',
      '/docs',
      '/invite/unknown',
      '/api/me',
      '/unsubscribe/unknown',
      '/service-tracker.js',
      '/readyz',
    ]) {
      const response = await fetch(secure.url + path)
      expect({ path, invalid: invalidSecurityHeaders(response) }).toEqual({ path, invalid: [] })
    }
  })

  test('of the dashboard API forbids caching', async () => {
    const { headers } = await fetch(`${service.url}/api/me`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('on https sets Strict-Transport-Security', async () => {
    for (const path of ['/docs', '/api/me'])
      expect((await fetch(secure.url + path)).headers.get('strict-transport-security')).toContain('max-age=31536000')
  })
})

test('a page without a custom policy may load from its origin and runs no inline script', async () => {
  const app = new Hono<Env>()
  securityHeaders(app, 'http://localhost')
  app.get('/', (c) => c.html('<p>dashboard</p>'))
  const policy = (await app.request('/')).headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("default-src 'self'")
})
