import { describe, expect, test } from 'bun:test'
import { BROWSER_CALLS_PER_MINUTE, KEYED_CALLS_PER_MINUTE } from '@tributary/contract'
import { VERSION } from '@tributary/contract/version'
import { click, expectRefusal, givenProgram } from './support/given.ts'
import { everythingOf } from './support/records.ts'
import { startTestService } from './support/service.ts'
import { givenService } from './support/shared-service.ts'
import { sized } from './support/size.ts'

const service = await givenService()
const TRACKING = ['/api/v1/track/click', '/api/v1/track/lead', '/api/v1/track/sale']

describe('every non-2xx has one shape', () => {
  test('404 not_found: unknown routes', async () => {
    for (const path of [
      '/nope',
      '/api/nope',
      '/api/v1/track/nope',
      '/api/v1/track/click/',
      '/api/v2/track/click',
      '/%00',
      '/..%2f..%2fetc/passwd',
    ])
      expectRefusal(await service.call('GET', path), 404, 'not_found')
  })

  test('405 method_not_allowed, with the allowed methods', async () => {
    for (const path of TRACKING)
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await service.call(method, path)
        expectRefusal(answer, 405, 'method_not_allowed')
        expect(answer.headers.get('allow')).toBe('POST')
      }
    expectRefusal(await service.call('POST', '/healthz', {}), 405, 'method_not_allowed')
  })

  test('400 invalid_json: not a JSON object', async () => {
    const program = await givenProgram(service)
    const before = await everythingOf(service)
    for (const body of [
      '',
      ' ',
      '{',
      'null',
      '[]',
      '"x"',
      '5',
      '{"a":1}}',
      '{a:1}',
      '\u0000',
      '[{"affiliate_url":"x"}]',
      'a=b',
    ]) {
      expectRefusal(await click(service, body), 400, 'invalid_json')
      expectRefusal(await program.sale(body), 400, 'invalid_json')
      expectRefusal(await program.lead(body), 400, 'invalid_json')
    }
    expect(await everythingOf(service)).toEqual(before)
  })

  test('400 invalid_json: not UTF-8, where two names could become equal', async () => {
    const program = await givenProgram(service)
    const before = await everythingOf(service)
    const latin1 = Buffer.from(JSON.stringify({ customer_key: 'Müller', amount: 100, invoice_id: 'Rä1' }), 'latin1')
    for (const path of ['sale', 'lead', 'refund', 'click'])
      for (const body of [latin1, new Blob([latin1]).stream()]) {
        const headers = {
          authorization: `Bearer ${program.key}`,
          'content-type': 'application/json; charset=iso-8859-1',
        }
        const response = await fetch(`${service.url}/api/v1/track/${path}`, { method: 'POST', body, headers })
        expectRefusal(
          { status: response.status, headers: response.headers, body: await response.json() },
          400,
          'invalid_json',
        )
      }
    expect(await everythingOf(service)).toEqual(before)
  })

  test('400 invalid_json says what to send instead', async () => {
    const program = await givenProgram(service)
    const messageFor = async (body: string) => {
      const answers = [await click(service, body), await program.sale(body)]
      const messages = new Set(answers.map((answer) => answer.body.error.message))
      expect(messages.size).toBe(1)
      return [...messages][0]
    }
    expect(await messageFor('')).toMatch(/^The body is empty\. Send a JSON object such as \{".*"\}\.$/)
    expect(await messageFor('customer_key=u&amount=100')).toMatch(/form fields.*Send a JSON object such as/)
    expect(await messageFor('{"a":')).toMatch(/not valid JSON.*Send a JSON object such as/)
    expect(await messageFor('[]')).toMatch(/must be a JSON object/)
  })

  test('413 payload_too_large: a body over 64 KiB, with or without content-length', async () => {
    const { link } = await givenProgram(service)
    const fits = JSON.stringify({ affiliate_url: link.url, page_title: 'x'.repeat(65_000) })
    expect((await click(service, fits)).status).toBe(200)
    const body = JSON.stringify({ affiliate_url: link.url, page_title: 'x'.repeat(65_536) })
    expectRefusal(await click(service, body), 413, 'payload_too_large')
    const stream = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 20; part++)
          controller.enqueue(new TextEncoder().encode(body.slice(part * 4096, (part + 1) * 4096)))
        controller.close()
      },
    })
    const response = await fetch(`${service.url}/api/v1/track/click`, { method: 'POST', body: stream })
    expect(response.status).toBe(413)
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe('payload_too_large')
  })

  test('a harmless request id of the caller is kept', async () => {
    expect((await service.call('GET', '/nope', undefined, { 'x-request-id': 'abc-123' })).body.error.request_id).toBe(
      'abc-123',
    )
    const other = await service.call('GET', '/nope', undefined, { 'x-request-id': '<script>'.repeat(20) })
    expect(other.body.error.request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await service.call('GET', '/healthz')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

/** Calls until `limit` calls were answered with `status`: a 503 on a busy machine does not use up the limit. */
const useUp = async (limit: number, status: number, call: (sent: number) => Promise<{ status: number }>) => {
  let sent = 0
  let answered = 0
  const caller = async () => {
    while (sent < limit) {
      const answer = await call(sent++)
      if (answer.status === status) answered++
      else if (answer.status === 503) sent--
      else throw new Error(`answered ${answer.status} after ${answered} calls`)
    }
  }
  await Promise.all(Array.from({ length: 20 }, caller))
  expect(answered).toBe(limit)
}

/** rate-limits.test.ts covers the contract's numbers without HTTP. */
const MOST = sized({
  short: { browser: 40, guess: 40, key: 60 },
  long: { browser: BROWSER_CALLS_PER_MINUTE, guess: BROWSER_CALLS_PER_MINUTE, key: KEYED_CALLS_PER_MINUTE },
})

describe('429 rate_limited, with Retry-After, and nothing recorded:', () => {
  test('too many browser calls a minute and IP', async () => {
    const limited = await startTestService(
      { rateLimits: true, trustedProxies: ['127.0.0.1'] },
      { callsPerMinute: MOST },
    )
    limited.clock.stop()
    const from = (ip: string) => limited.call('POST', '/api/v1/track/click', {}, { 'x-forwarded-for': ip })
    const use = (ip: string) => useUp(MOST.browser, 400, () => from(ip))
    await use('192.0.2.1')
    const refused = await from('192.0.2.1')
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expectRefusal(
      await limited.call('POST', '/api/v1/track/lead', {}, { 'x-forwarded-for': '192.0.2.1' }),
      429,
      'rate_limited',
    )
    expectRefusal(await from('192.0.2.2'), 400, 'missing_affiliate_url')
    // Keyed calls are counted by their key, whatever browsers at the same address do.
    const { key } = await givenProgram(limited)
    const keyed = { 'x-forwarded-for': '192.0.2.1', authorization: `Bearer ${key}` }
    expectRefusal(await limited.call('POST', '/api/v1/track/sale', {}, keyed), 400, 'invalid_amount')

    await use('2001:db8:1:2::1')
    expectRefusal(await from('2001:db8:1:2:ffff::9'), 429, 'rate_limited')
    expectRefusal(await from('2001:db8:1:3::1'), 400, 'missing_affiliate_url')

    limited.clock.advance(60_000)
    expectRefusal(await from('192.0.2.1'), 400, 'missing_affiliate_url')
  })

  test('too many wrong keys a minute and IP, after which keys are not looked up', async () => {
    const limited = await startTestService(
      { rateLimits: true, trustedProxies: ['127.0.0.1'] },
      { callsPerMinute: MOST },
    )
    limited.clock.stop()
    const from = (ip: string, key: string) =>
      limited.call(
        'POST',
        '/api/v1/track/sale',
        {},
        {
          'x-forwarded-for': ip,
          authorization: `Bearer trk_${'a'.repeat(12)}_${key.padEnd(32, 'b')}`,
        },
      )
    await useUp(MOST.guess, 401, (sent) => from('192.0.2.1', `${sent}x`))
    expectRefusal(await from('192.0.2.1', 'another'), 429, 'rate_limited')
    expectRefusal(await from('192.0.2.2', 'another'), 401, 'invalid_api_key')
    limited.clock.advance(60_000)
    expectRefusal(await from('192.0.2.1', 'another'), 401, 'invalid_api_key')
  })

  test('too many keyed calls a minute and key', async () => {
    const limited = await startTestService({ rateLimits: true }, { callsPerMinute: MOST })
    const [program, other] = [await givenProgram(limited), await givenProgram(limited)]
    limited.clock.stop()
    await useUp(MOST.key, 400, () => program.sale({}))
    const refused = await program.sale({ customer_key: 'u', amount: 1, invoice_id: 'in-1' })
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expectRefusal(await other.sale({}), 400, 'invalid_amount')
    limited.clock.advance(60_000)
    expect((await program.sale({ customer_key: 'u', amount: 1, invoice_id: 'in-1' })).status).toBe(200)
  })
})

describe('operations', () => {
  test('/healthz is alive, /readyz can commit', async () => {
    expect(await service.call('GET', '/healthz')).toMatchObject({
      status: 200,
      body: { status: 'ok', version: VERSION },
    })
    expect((await service.call('GET', '/readyz')).status).toBe(200)
  })

  test('/metrics reports requests, latencies, batch sizes, queue depth, refusals by code and the pool', async () => {
    const { link } = await givenProgram(service)
    await click(service, { affiliate_url: link.url })
    await click(service, {})
    const text = await (await fetch(`${service.url}/metrics`)).text()
    for (const line of [
      'tributary_requests_total{method="POST",route="/api/v1/track/click",status="200"}',
      'tributary_request_seconds_bucket{le="0.005",route="/api/v1/track/click"}',
      'tributary_refusals_total{code="missing_affiliate_url"}',
      'tributary_click_batch_size_bucket',
      'tributary_click_queue_depth 0',
      'tributary_lead_queue_depth 0',
      'tributary_sale_queue_depth 0',
      'tributary_database_connections ',
      `tributary_build_info{version="${VERSION}"} 1`,
    ])
      expect(text).toContain(line)
  })

  test('HEAD answers with the headers of GET, its length included, and no body', async () => {
    for (const path of ['/docs', '/openapi.json', '/service-tracker.js', '/healthz', '/nope']) {
      const headers = { 'accept-encoding': 'identity', 'x-request-id': 'same' }
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(service.url + path, { method, headers })),
      )
      expect({ path, status: head?.status, length: head?.headers.get('content-length') }).toEqual({
        path,
        status: Number(get?.status),
        length: String(Buffer.byteLength((await get?.text()) ?? '')),
      })
      expect(await head?.text()).toBe('')
    }
  })

  test('/openapi.json is OpenAPI 3.1', async () => {
    const { body } = await service.call('GET', '/openapi.json')
    expect(body.openapi).toStartWith('3.1')
    expect(Object.keys(body.paths)).toContain('/api/v1/track/click')
  })
})
