import { describe, expect, test } from 'bun:test'
import { createHmac, randomBytes } from 'node:crypto'
import { TributaryArgumentError, TributaryWebhookError, verifyWebhook } from '@tributary/sdk'
import { hmacSha256 } from '../src/webhooks/sha256.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const NOW = Date.parse('2026-11-18T09:00:00Z')
const EVENT = { id: 'evt_1', sequence: 7, type: 'sale.created', timestamp: '2026-11-18T09:00:00Z', data: { id: 3 } }
const BODY = JSON.stringify(EVENT)

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`
const sign = (body: string, { secret = SECRET, id = 'msg_1', at = NOW } = {}) => {
  const timestamp = String(Math.floor(at / 1_000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
const pace = { date: () => NOW }
const verify = (body: unknown, headers: unknown, secret: unknown = SECRET, options = {}) =>
  verifyWebhook(body as string, headers as Headers, secret as string, { pace, ...options })

const codeOf = (call: () => unknown) => {
  try {
    call()
    return 'accepted'
  } catch (error) {
    if (error instanceof TributaryWebhookError) return error.code
    if (error instanceof TributaryArgumentError) return `argument ${error.field}`
    throw error
  }
}

describe('verifyWebhook returns the event', () => {
  test('of the example in the Standard Webhooks specification', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const at = { pace: { date: () => 1_614_265_330_000 } }
    // The specification's body has no type, so only its signature is checked here.
    expect(codeOf(() => verify('{"test": 2432232314}', headers, SECRET, at))).toBe('invalid_body')
    expect(codeOf(() => verify('{"test": 2432232315}', headers, SECRET, at))).toBe('invalid_signature')
  })

  test('for a body as text, bytes or a buffer, and any kind of headers', () => {
    const headers = sign(BODY)
    const bytes = new TextEncoder().encode(BODY)
    for (const body of [BODY, bytes, Buffer.from(BODY), bytes.buffer])
      expect(verify(body, headers)).toEqual(EVENT as never)
    const shouting = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    for (const given of [new Headers(headers), new Map(Object.entries(headers)), shouting])
      expect(verify(BODY, given)).toEqual(EVENT as never)
  })

  test('if one of several signatures and one of several secrets match', () => {
    const [older, newer] = [newSecret(), newSecret()]
    const rotated = sign(BODY, { secret: newer })
    const both = `v1a,ignored ${sign(BODY, { secret: older })['webhook-signature']} ${rotated['webhook-signature']}`
    for (const secret of [older, newer, [SECRET, newer], newer.replace('whsec_', '')])
      expect(verify(BODY, { ...rotated, 'webhook-signature': both }, secret)).toEqual(EVENT as never)
    expect(verify(BODY, rotated, [older, newer])).toEqual(EVENT as never)
    expect(codeOf(() => verify(BODY, rotated, older))).toBe('invalid_signature')
  })

  test('up to the tolerance, in both directions', () => {
    const outcomes = [-301, -300, 300, 301].map((seconds) =>
      codeOf(() => verify(BODY, sign(BODY, { at: NOW + seconds * 1_000 }))),
    )
    const late = 'timestamp_out_of_range'
    expect(outcomes).toEqual([late, 'accepted', 'accepted', late])
    const old = sign(BODY, { at: NOW - 3_600_000 })
    expect(verify(BODY, old, SECRET, { toleranceMs: 3_600_000 })).toEqual(EVENT as never)
  })
})

describe('verifyWebhook throws', () => {
  const good = sign(BODY)
  const timestamp = good['webhook-timestamp']
  const SIGNED_WRONG: [string, unknown, object][] = [
    ['a changed body', `${BODY} `, good],
    ['another ID', BODY, { ...good, 'webhook-id': 'msg_2' }],
    ['another time', BODY, { ...good, 'webhook-timestamp': String(Number(timestamp) + 1) }],
    ['another secret', BODY, sign(BODY, { secret: newSecret() })],
    ['no version', BODY, { ...good, 'webhook-signature': good['webhook-signature'].slice(3) }],
    ['a cut signature', BODY, { ...good, 'webhook-signature': good['webhook-signature'].slice(0, -1) }],
    ['an empty signature', BODY, { ...good, 'webhook-signature': 'v1,' }],
  ]
  for (const [what, body, headers] of SIGNED_WRONG)
    test(`invalid_signature for ${what}`, () => expect(codeOf(() => verify(body, headers))).toBe('invalid_signature'))

  test('invalid_headers for a missing or malformed header', () => {
    for (const name of Object.keys(good))
      expect(codeOf(() => verify(BODY, { ...good, [name]: undefined }))).toBe('invalid_headers')
    for (const wrong of ['NaN', '', '1e9', '-1', '2026-11-18'])
      expect(codeOf(() => verify(BODY, { ...good, 'webhook-timestamp': wrong }))).toBe('invalid_headers')
  })

  test('a TributaryArgumentError for wrong arguments, and says what to pass', () => {
    for (const body of [EVENT, undefined, null, 7]) expect(codeOf(() => verify(body, good))).toBe('argument body')
    expect(() => verify(EVENT, good)).toThrow('express.raw')
    for (const secret of ['', null, [], 7, 'whsec_', 'whsec_?', 'whsec_YQ=='])
      expect(codeOf(() => verify(BODY, good, secret))).toBe('argument secret')
    expect(() => verifyWebhook(BODY, good, undefined as unknown as string)).toThrow('environment variable')
    expect(codeOf(() => verify(BODY, 'webhook-id'))).toBe('argument headers')
    expect(codeOf(() => verify(BODY, good, SECRET, { tolerance: 1 }))).toBe('argument tolerance')
  })
})

test('the signature is HMAC-SHA-256 for keys and messages of every length', () => {
  for (let length = 0; length < 200; length += 1) {
    const [key, message] = [randomBytes(length), randomBytes(3 * length)]
    const expected = createHmac('sha256', key).update(message).digest('hex')
    expect(Buffer.from(hmacSha256(key, message)).toString('hex')).toBe(expected)
  }
})
