import { describe, expect, test } from 'bun:test'
import { clickIdFromCookies, Tributary, TributaryArgumentError } from '@tributary/sdk'
import fc from 'fast-check'

const CLICK = '12_m1abcdefgAbC-_9xyzAbC-_9xyz01'
const withoutPrototype = (cookies: object) => Object.assign(Object.create(null), cookies)

describe('clickIdFromCookies reads the click ID', () => {
  const FOUND: [string, Parameters<typeof clickIdFromCookies>[0]][] = [
    ['from a header', `service_click_id=${CLICK}`],
    ['among other cookies, with extra spaces', `a=1;service_click_id = ${CLICK} ;  b=2`],
    [
      'among cookies without a value, without a name, or with more than one =',
      `x; =y; z=a=b; service_click_id=${CLICK}`,
    ],
    ['in quotes', `service_click_id="${CLICK}"`],
    ['percent-encoded', `service_click_id=${CLICK.replace('_', '%5F')}`],
    ['from the second of two if the first is invalid', `service_click_id=; service_click_id=${CLICK}`],
    ['from the first of two valid ones', `service_click_id=${CLICK}; service_click_id=other`],
    ['from web headers', new Headers({ cookie: `service_click_id=${CLICK}` })],
    ["from Node's headers object", { cookie: `a=1; service_click_id=${CLICK}` }],
    ['from a web request', new Request('https://shop.example', { headers: { cookie: `service_click_id=${CLICK}` } })],
    ['from a Node request', { headers: { cookie: `service_click_id=${CLICK}` } }],
    ['from several header lines', ['a=1', `service_click_id=${CLICK}`]],
    ['from parsed cookies', { theme: 'dark', service_click_id: CLICK }],
    [
      'from parsed cookies without a prototype, as cookie-parser creates them',
      withoutPrototype({ service_click_id: CLICK }),
    ],
    ['next to cookies named headers and cookie', { headers: 'x', cookie: 'y', service_click_id: CLICK }],
    ['from a map of cookies', new Map([['service_click_id', CLICK]])],
    [
      'from a cookie store',
      { get: (name: string) => (name === 'service_click_id' ? { name, value: CLICK } : undefined) },
    ],
  ]
  for (const [how, cookies] of FOUND) test(how, () => expect(clickIdFromCookies(cookies)).toBe(CLICK))

  test('also as a method', () => {
    const tributary = new Tributary({ apiKey: 'trk_a_b', baseUrl: 'https://track.example' })
    expect(tributary.clickIdFromCookies(`service_click_id=${CLICK}`)).toBe(CLICK)
  })
})

describe('clickIdFromCookies returns null', () => {
  const NONE: [string, unknown][] = [
    ['for no header', null],
    ['for undefined', undefined],
    ['for an empty header', ''],
    ['for headers without cookies', new Headers()],
    ["for Node's headers without cookies", {}],
    ['for a cookie whose name only ends the same way', `my_service_click_id=${CLICK}`],
    ['for a name in another case', `Service_Click_Id=${CLICK}`],
    ['for an empty value', 'service_click_id='],
    ['for an invalid click ID', 'service_click_id=<script>'],
    ['for an invalid percent-encoding', 'service_click_id=%E0%A4%A'],
    ['for a value that is too long', `service_click_id=${'x'.repeat(256)}`],
    ['for a request without headers', { headers: undefined }],
    ['for parsed cookies without it', { theme: 'dark' }],
    ['for a parsed cookie that is an object', { service_click_id: { a: 1 } }],
    ['for a parsed cookie with an invalid click ID', { service_click_id: '<script>' }],
    ['for parsed cookies named headers, cookie and get', { headers: 7, cookie: true, get: 'x' }],
    ['for a map without it', new Map()],
  ]
  for (const [why, cookies] of NONE) test(why, () => expect(clickIdFromCookies(cookies as string)).toBeNull())
})

describe('clickIdFromCookies throws for', () => {
  const WRONG: [unknown, string][] = [
    [7, 'not a number'],
    [true, 'not true'],
    [() => '', 'not a function'],
    [Promise.resolve({}), 'not a promise (await it first)'],
  ]
  for (const [wrong, says] of WRONG)
    test(says.slice(4), () => {
      const call = () => clickIdFromCookies(wrong as string)
      expect(call).toThrow(TributaryArgumentError)
      expect(call).toThrow(says)
    })
})

test('whatever the cookies contain, nothing is thrown and the result can be sent', () => {
  const tributary = new Tributary({
    apiKey: 'trk_a_b',
    baseUrl: 'https://track.example',
    fetch: (async () => Response.json({ success: true })) as unknown as typeof fetch,
  })
  const anyCookie = fc.oneof(fc.string({ unit: 'binary' }), fc.string())
  const header = fc.tuple(anyCookie, anyCookie, anyCookie).map(([a, b, c]) => `${a};service_click_id=${b};${c}`)
  fc.assert(
    fc.property(header, (cookies) => {
      void tributary.trackLead({ customerExternalId: 'user_42', clickId: clickIdFromCookies(cookies) })
    }),
    { numRuns: 2_000 },
  )
})
