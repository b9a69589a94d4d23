import { describe, expect, setSystemTime, test } from 'bun:test'
import { Tributary, TributaryError } from '@tributary/sdk'
import { realPace } from '../src/pace.ts'
import { caught } from './support/caught.ts'
import { type Fault, startFaultServer } from './support/fault-server.ts'
import { stillPace } from './support/still-pace.ts'

const KEY = 'trk_public_secret'
const LEAD = { customerExternalId: 'user_42', clickId: '1_click' }
const SALE = { customerExternalId: 'user_42', amount: 4900, invoiceId: 'inv_1' }

const settled: Fault = {
  status: 200,
  body: '{"success":true,"lead_id":7,"customer_key":"user_42","click_id":"1_click"}',
}
const json = (code: string, more: object = {}) =>
  JSON.stringify({
    success: false,
    error: { code, message: 'How to fix it.', request_id: 'req_1', ...more },
    ...more,
  })

const given = async (...faults: Fault[]) => {
  const server = await startFaultServer(...faults)
  const time = stillPace()
  return { server, ...time, tributary: new Tributary({ apiKey: KEY, baseUrl: server.url, pace: time.pace }) }
}

describe('a call is retried', () => {
  const FAULTS: [string, Fault][] = [
    ['if the connection is reset', 'reset'],
    ['if the response is truncated', 'half answer'],
    ['after 429', { status: 429, body: json('rate_limited') }],
    ['after 500', { status: 500, body: json('internal_error') }],
    ['after 503', { status: 503, body: json('unavailable') }],
    [
      "after a proxy's 502 page",
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
    ],
    ['after a 200 with invalid JSON', { status: 200, body: '{"success": true, "lead_id"' }],
    ['after a 200 that is not from Tributary', { status: 200, body: '{"ok":true}' }],
    ['after an empty 200', { status: 200 }],
  ]
  for (const [when, fault] of FAULTS)
    test(when, async () => {
      const { tributary, server, waits, pending } = await given(fault, fault, settled)
      expect(await tributary.trackLead(LEAD)).toMatchObject({ leadId: 7, duplicate: false })
      expect(server.requests.length).toBe(3)
      // Half of 250 and of 500: full jitter under a limit that doubles.
      expect(waits).toEqual([125, 250])
      expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1)
      expect(pending()).toBe(0)
    })

  test('if an attempt times out', async () => {
    const { tributary, server, ring, timeouts } = await given('hang', settled)
    server.whenHanging(ring)
    expect(await tributary.trackLead(LEAD, { timeoutMs: 4_000 })).toMatchObject({ leadId: 7 })
    expect(server.requests.length).toBe(2)
    expect(timeouts).toEqual([4_000, 4_000])
  })

  test('until the budget is used up if every connection fails', async () => {
    const { pace, waits, timeouts } = stillPace()
    const gone = await startFaultServer('reset')
    const tributary = new Tributary({ apiKey: KEY, baseUrl: gone.url, pace, timeoutMs: 1_000, budgetMs: 10_000 })
    const error = await caught<TributaryError>(() => tributary.trackLead(LEAD))
    expect(error).toBeInstanceOf(TributaryError)
    expect(error).toMatchObject({ code: 'network_error', status: null, requestId: null, attempts: waits.length + 1 })
    expect(error.message).toContain(gone.url)
    expect(error.cause).toBeDefined()
    // The last wait is cut to leave one second for the last attempt.
    expect(waits).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 1_125])
    expect(timeouts.at(-1)).toBe(1_000)
  })

  test('within the budget whatever the jitter', async () => {
    for (const chance of [0.01, 0.2, 0.9, 0.999]) {
      const { pace, waits, now } = stillPace({ chance })
      const gone = await startFaultServer('reset')
      const tributary = new Tributary({ apiKey: KEY, baseUrl: gone.url, pace })
      const from = now()
      await caught(() => tributary.trackLead(LEAD, { budgetMs: 3_000 }))
      expect(now() - from).toBeCloseTo(2_700)
      expect(gone.requests.length).toBe(waits.length + 1)
    }
  })

  test('within the budget even if the system clock is set back', () => {
    const before = realPace.now()
    setSystemTime(new Date('2001-01-01T00:00:00Z'))
    const [after, date] = [realPace.now(), realPace.date()]
    setSystemTime()
    expect(after - before).toBeWithin(0, 60_000)
    expect(date).toBeLessThan(Date.parse('2001-01-02T00:00:00Z'))
  })

  test('and the error says so if every attempt timed out', async () => {
    const { tributary, server, ring } = await given('hang')
    server.whenHanging(ring)
    const error = await caught<TributaryError>(() => tributary.trackSale(SALE, { timeoutMs: 4_000, budgetMs: 5_000 }))
    expect(error).toMatchObject({ code: 'timed_out', status: null, attempts: 2 })
    expect(error.message).toContain('did not respond within 875 ms (tried 2 times)')
  })

  test('with the rest of the budget as the timeout of the last attempt', async () => {
    const { tributary, timeouts } = await given('reset', settled)
    await tributary.trackLead(LEAD, { timeoutMs: 1_000, budgetMs: 1_000 })
    expect(timeouts).toEqual([1_000, 875])
  })
})

describe('Retry-After', () => {
  test('in seconds is honored, with jitter on top', async () => {
    const { tributary, waits } = await given(
      { status: 503, headers: { 'retry-after': '2' }, body: json('overloaded') },
      settled,
    )
    expect(await tributary.trackLead(LEAD)).toMatchObject({ leadId: 7 })
    expect(waits).toEqual([2_125])
  })

  test('as a date is honored', async () => {
    const headers = { 'retry-after': 'Sun, 01 Mar 2026 12:00:03 GMT' }
    const { tributary, waits } = await given({ status: 429, headers, body: json('rate_limited') }, settled)
    await tributary.trackLead(LEAD)
    expect(waits).toEqual([3_125])
  })

  test('in the past or in an unknown format is ignored', async () => {
    const faults = ['Sun, 01 Mar 2026 11:00:00 GMT', 'soon', '-5', '1.5', ''].map(
      (value): Fault => ({ status: 503, headers: { 'retry-after': value } }),
    )
    const { tributary, waits } = await given(...faults, settled)
    await tributary.trackLead(LEAD)
    expect(waits).toEqual([125, 250, 500, 1_000, 2_000])
  })

  test('beyond the budget fails the call immediately and is in the error', async () => {
    const fault = { status: 429, headers: { 'retry-after': '60' }, body: json('rate_limited') }
    const { tributary, server, waits } = await given(fault, settled)
    const error = await caught<TributaryError>(() => tributary.trackSale(SALE))
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfterMs: 60_000, attempts: 1 })
    expect(error.requestId).toBe('req_1')
    expect(waits).toEqual([])
    expect(server.requests.length).toBe(1)
  })

  test('within the budget is honored in full, and only the jitter is cut', async () => {
    const fault = { status: 503, headers: { 'retry-after': '2' }, body: json('overloaded') }
    const { tributary, waits, timeouts } = await given(fault, settled)
    expect(await tributary.trackLead(LEAD, { budgetMs: 2_250 })).toMatchObject({ leadId: 7 })
    expect(waits).toEqual([2_025])
    expect(timeouts).toEqual([2_250, 225])
  })
})

describe('a call is not retried', () => {
  const REFUSED = [
    [400, 'click_expired', { field: 'click_id' }],
    [401, 'invalid_api_key', {}],
    [403, 'program_mismatch', { field: 'program_id' }],
    [404, 'not_found', {}],
    [413, 'payload_too_large', {}],
  ] as const
  for (const [status, code, more] of REFUSED)
    test(`after ${status} ${code}`, async () => {
      const { tributary, server } = await given({ status, body: json(code, more) }, settled)
      const error = await caught<TributaryError>(() => tributary.trackLead(LEAD))
      expect(error).toBeInstanceOf(TributaryError)
      expect(error).toMatchObject({ name: 'TributaryError', code, status, requestId: 'req_1', attempts: 1 })
      expect(error.field).toBe('field' in more ? more.field : null)
      expect(error.message).toBe('How to fix it.')
      expect(server.requests.length).toBe(1)
    })

  test('after a 4xx that is not from Tributary', async () => {
    const headers = { 'x-request-id': 'edge_9' }
    const { tributary, server } = await given({ status: 403, headers, body: '<html>Blocked</html>' })
    const error = await caught<TributaryError>(() => tributary.trackLead(LEAD))
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 403, requestId: 'edge_9' })
    expect(error.message).toContain('Check baseUrl')
    expect(server.requests.length).toBe(1)
  })

  test('at the target of a redirect, which would lose the body and leak the key', async () => {
    const other = await startFaultServer(settled)
    const { tributary } = await given({ status: 301, headers: { location: `${other.url}/api/v1/track/lead` } })
    const error = await caught<TributaryError>(() => tributary.trackLead(LEAD))
    expect(error).toMatchObject({ code: 'redirected', status: 301 })
    expect(error.message).toContain(other.url)
    expect(other.requests.length).toBe(0)
  })
})

describe('a sale that is already recorded', () => {
  const duplicate = (same_request: boolean) => json('duplicate_invoice', { sale_id: 96, same_request })

  test('succeeds if it is the same request', async () => {
    const { tributary } = await given({ status: 409, body: duplicate(true) })
    expect(await tributary.trackSale(SALE)).toEqual({ duplicate: true, saleId: 96 })
  })

  test('succeeds if the payment processor reported it first', async () => {
    const body = json('duplicate_invoice', { sale_id: 96, same_request: false, reported_by: 'processor' })
    const { tributary } = await given({ status: 409, body })
    expect(await tributary.trackSale(SALE)).toEqual({ duplicate: true, saleId: 96 })
  })

  test('is an error that names the sale if it is a different request', async () => {
    const { tributary } = await given({ status: 409, body: duplicate(false) })
    const error = await caught<TributaryError>(() => tributary.trackSale(SALE))
    expect(error).toMatchObject({ code: 'duplicate_invoice', status: 409, saleId: 96, sameRequest: false })
  })
})

describe('an idempotency key', () => {
  const refunded: Fault = {
    status: 200,
    body: '{"success":true,"sale_id":1,"commission_id":null,"refunded_amount":100,"reversed_amount":0}',
  }

  test('is sent as a header with every attempt', async () => {
    const { tributary, server } = await given({ status: 503, body: json('unavailable') }, settled)
    await tributary.trackLead(LEAD, { idempotencyKey: 'lead of user_42' })
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'lead of user_42',
      'lead of user_42',
    ])
    await tributary.trackLead(LEAD)
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('idempotency-key')
  })

  test('makes repeated refunds without refundId identical', async () => {
    const { tributary, server } = await given(refunded)
    const refund = { invoiceId: 'inv_1', amount: 100 }
    for (let calls = 0; calls < 2; calls++) await tributary.trackRefund(refund, { idempotencyKey: 'refund 7' })
    const [first, second] = server.requests.map(({ body }) => body)
    expect(second).toBe(first as string)
  })

  test('that is not a valid header value throws before anything is sent', async () => {
    const { tributary, server } = await given(settled)
    for (const idempotencyKey of ['', 'x'.repeat(256), 'a\nb', 'é', 7 as unknown as string])
      expect(() => tributary.trackLead(LEAD, { idempotencyKey })).toThrow('idempotencyKey must be')
    expect(server.requests).toEqual([])
  })
})
