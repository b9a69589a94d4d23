import { describe, expect, test } from 'bun:test'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { deduplicateClicks } from '../src/http/public/track-click.ts'
import type { ClickIdentity } from '../src/tracking/clicks/record-click.ts'
import { click, expectRefusal, givenLink, givenProgram, unique } from './support/given.ts'
import { clickEventsOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

/** The bytes on the wire: `fetch` would decompress them. */
const get = (headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status?: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const call = request(`${service.url}/service-tracker.js`, { method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) })
    })
    call.once('error', reject)
    call.end()
  })

describe('GET /service-tracker.js', () => {
  test('serves the script to pages of every origin, cached by browsers for an hour', async () => {
    const { status, headers, body } = await get()
    expect(status).toBe(200)
    expect(body.toString()).toContain('service_click_id')
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('uses the smallest encoding that the browser accepts', async () => {
    const plain = (await get()).body
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['GZIP;q=0.5', 'gzip'],
      ['deflate', undefined],
      ['br; q=0.0, gzip;q=0', undefined],
    ] as const) {
      const { headers, body } = await get({ 'accept-encoding': accepted })
      expect({ accepted, encoding: headers['content-encoding'] }).toEqual({ accepted, encoding })
      const text = encoding === 'br' ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body
      expect(text.equals(plain)).toBe(true)
    }
  })

  test('has a strong ETag for each encoding, and answers 304 to If-None-Match', async () => {
    const tags = new Set<unknown>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { headers } = await get({ 'accept-encoding': encoding })
      expect(headers.etag).toMatch(/^"[\w-]+"$/)
      tags.add(headers.etag)
      for (const known of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
        const again = await get({ 'accept-encoding': encoding, 'if-none-match': String(known) })
        expect({ known, status: again.status, length: again.body.length }).toEqual({ known, status: 304, length: 0 })
        expect(again.headers).toMatchObject({ etag: headers.etag, vary: 'Accept-Encoding' })
      }
      expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
    }
    expect(tags.size).toBe(3)
  })

  test('HEAD answers the same without the body, and POST is rejected', async () => {
    const { status, headers, body } = await get({ 'accept-encoding': 'br' }, 'HEAD')
    expect({ status, length: body.length, encoding: headers['content-encoding'] }).toEqual({
      status: 200,
      length: 0,
      encoding: 'br',
    })
    expect((await get({}, 'POST')).status).toBe(405)
  })
})

describe('first_party=1: the click response sets the cookie', () => {
  const cookiesFrom = async (query: string, headers: Record<string, string>) => {
    const { link } = await givenProgram(service, { cookieWindowDays: 30 })
    const body = { affiliate_url: link.url }
    const answer = await service.call('POST', `/api/v1/track/click${query}`, body, headers)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    return answer.headers.getSetCookie().map((line) => line.replace(answer.body.click_id, '<click_id>'))
  }
  const SHOP = { origin: 'https://www.shop.example', 'sec-fetch-site': 'same-origin' }

  test('for the whole attribution window, readable by the script, Secure on https', async () => {
    expect(await cookiesFrom('?first_party=1', SHOP)).toEqual([
      'service_click_id=<click_id>; Max-Age=2592000; Path=/; Secure; SameSite=Lax',
    ])
    expect(await cookiesFrom('?first_party=1', { origin: 'http://localhost:5173' })).toEqual([
      'service_click_id=<click_id>; Max-Age=2592000; Path=/; SameSite=Lax',
    ])
  })

  test('on a domain that the page belongs to, and on no other', async () => {
    expect(await cookiesFrom('?first_party=1&cookie_domain=shop.example', SHOP)).toEqual([
      'service_click_id=<click_id>; Max-Age=2592000; Domain=shop.example; Path=/; Secure; SameSite=Lax',
    ])
    for (const domain of ['', 'example', 'elsewhere.example', 'p.example', 'shop.example;x=y', 'a.www.shop.example'])
      expect((await cookiesFrom(`?first_party=1&cookie_domain=${encodeURIComponent(domain)}`, SHOP))[0]).not.toContain(
        'Domain',
      )
    expect((await cookiesFrom('?first_party=1&cookie_domain=shop.example', {}))[0]).not.toContain('Domain')
  })

  test('only on request, and not for a call from another site', async () => {
    expect(await cookiesFrom('', SHOP)).toEqual([])
    expect(await cookiesFrom('?first_party=0', SHOP)).toEqual([])
    for (const site of ['cross-site', 'none'])
      expect(await cookiesFrom('?first_party=1', { ...SHOP, 'sec-fetch-site': site })).toEqual([])
  })
})

describe('a click retried because its response was lost', () => {
  test('is one click, both later and concurrently', async () => {
    const { link } = await givenProgram(service)
    const body = { affiliate_url: link.url, session_id: unique('session'), visit_id: 0.5 }
    const answers = await Promise.all([click(service, body), click(service, body)])
    answers.push(await click(service, { ...body, existing_click_id: answers[0]?.body.click_id }))
    expect(new Set(answers.map((answer) => answer.body.click_id)).size).toBe(1)
    expect(await clickEventsOf(service, link.id)).toHaveLength(1)
  })

  test('is another click in another visit, ten minutes later, or without the script’s visit_id', async () => {
    const { link } = await givenProgram(service)
    const body = { affiliate_url: link.url, session_id: unique('session'), visit_id: 0.5 }
    await click(service, body)
    await click(service, { ...body, visit_id: 0.25 })
    await click(service, { ...body, session_id: unique('session') })
    for (const visit_id of [undefined, 'x', null]) await click(service, { ...body, visit_id })
    service.clock.advance(600_000)
    await click(service, body)
    expect(await clickEventsOf(service, link.id)).toHaveLength(7)
  })

  test('is another click on another link or without one, whatever its visit_id', async () => {
    const { id, link } = await givenProgram(service)
    const other = await givenLink(service, id)
    const name = { session_id: unique('session'), visit_id: 7 }
    const first = await click(service, { ...name, affiliate_url: link.url })
    const second = await click(service, { ...name, affiliate_url: other.url })
    expect(second.body.click_id).not.toBe(first.body.click_id)
    expect(await clickEventsOf(service, other.id)).toHaveLength(1)
    expectRefusal(await click(service, name), 400, 'missing_affiliate_url')
    const noText = { toString: 1, valueOf: 1 }
    expectRefusal(await click(service, { ...name, affiliate_url: noText }), 400, 'invalid_affiliate_url')
  })

  test('keeps its ID if the database did not respond, so that a commit is still recognized', async () => {
    const once = deduplicateClicks(service.clock.now)
    const names: ClickIdentity[] = []
    const unanswered = async (name: ClickIdentity) => {
      names.push(name)
      throw new Error('Query read timeout')
    }
    for (const visit_id of [1, 1, 2])
      await expect(
        once({ affiliate_url: 'https://shop.example/?aff=a', session_id: 's', visit_id }, unanswered),
      ).rejects.toThrow()
    expect(names[1]).toEqual(names[0] as ClickIdentity)
    expect(names[2]?.id).not.toBe(names[0]?.id)
  })

  test('is tried again after an error', async () => {
    const { id, link } = await givenProgram(service)
    const body = { affiliate_url: link.url, session_id: unique('session'), visit_id: 0.5 }
    const switchTo = (active: boolean) =>
      service.db.updateTable('referralLinks').set({ active }).where('programId', '=', id).execute()
    await switchTo(false)
    expect((await click(service, body)).status).toBe(410)
    await switchTo(true)
    expect((await click(service, body)).status).toBe(200)
  })
})
