import { describe, expect, test } from 'bun:test'
import { clickIdFromCookies, Tributary, TributaryArgumentError } from '@tributary/sdk'
import fc from 'fast-check'

const CLICK = '12_m1abcdefgAbC-_9xyzAbC-_9xyz01'
const withoutPrototype = (cookies: object) => Object.assign(Object.create(null), cookies)

describe('clickIdFromCookies reads the click', () => {
  const FOUND: [string, Parameters<typeof clickIdFromCookies>[0]][] = [
    ['from a header', `service_click_id=${CLICK}`],
    ['between others, with odd spaces', `a=1;service_click_id = ${CLICK} ;  b=2`],
    [
      'beside cookies without a value, without a name, or with more than one =',
      `x; =y; z=a=b; service_click_id=${CLICK}`,
    ],
    ['in quotes', `service_click_id="${CLICK}"`],
    ['percent-encoded', `service_click_id=${CLICK.replace('_', '%5F')}`],
    ['from the second of two, where the first is broken', `service_click_id=; service_click_id=${CLICK}`],
    ['from the first of two whole ones', `service_click_id=${CLICK}; service_click_id=other`],
    ['from web headers', new Headers({ cookie: `service_click_id=${CLICK}` })],
    ['from the headers object of Node', { cookie: `a=1; service_click_id=${CLICK}` }],
    ['from a web request', new Request('https://shop.example', { headers: { cookie: `service_click_id=${CLICK}` } })],
    ['from a request of Node', { headers: { cookie: `service_click_id=${CLICK}` } }],
    ['from several header lines', ['a=1', `service_click_id=${CLICK}`]],
    ['from cookies that a parser has read', { theme: 'dark', service_click_id: CLICK }],
    ['from those without a prototype, as cookie-parser makes them', withoutPrototype({ service_click_id: CLICK })],
    ['beside a cookie that has the name of something else', { headers: 'x', cookie: 'y', service_click_id: CLICK }],
    ['from a map of cookies', new Map([['service_click_id', CLICK]])],
    [
      'from a store of cookies',
      { get: (name: string) => (name === 'service_click_id' ? { name, value: CLICK } : undefined) },
    ],
  ]
  for (const [how, cookies] of FOUND) test(how, () => expect(clickIdFromCookies(cookies)).toBe(CLICK))

  test('also as a method', () => {
    const tributary = new Tributary({ apiKey: 'trk_a_b', baseUrl: 'https://track.example' })
    expect(tributary.clickIdFromCookies(`service_click_id=${CLICK}`)).toBe(CLICK)
  })
})

describe('clickIdFromCookies answers null', () => {
  const NONE: [string, unknown][] = [
    ['for no header', null],
    ['for undefined', undefined],
    ['for an empty header', ''],
    ['for headers without cookies', new Headers()],
    ["for Node's headers without cookies", {}],
    ['for another cookie that ends alike', `my_service_click_id=${CLICK}`],
    ['for another case, as cookie names have one', `Service_Click_Id=${CLICK}`],
    ['for an empty value', 'service_click_id='],
    ['for what cannot be a click', 'service_click_id=<script>'],
    ['for a broken escape', 'service_click_id=%E0%A4%A'],
    ['for more than an identifier may have', `service_click_id=${'x'.repeat(256)}`],
    ['for a request without headers', { headers: undefined }],
    ['for parsed cookies without it', { theme: 'dark' }],
    ['for a parsed cookie that is none', { service_click_id: { a: 1 } }],
    ['for a parsed cookie that cannot be a click', { service_click_id: '<script>' }],
    ['for parsed cookies of which one is called like something else', { headers: 7, cookie: true, get: 'x' }],
    ['for a map without it', new Map()],
  ]
  for (const [why, cookies] of NONE) test(why, () => expect(clickIdFromCookies(cookies as string)).toBeNull())
})

describe('clickIdFromCookies throws, for nobody can read cookies from', () => {
  const WRONG: [unknown, string][] = [
    [7, 'not a number'],
    [true, 'not true'],
    [() => '', 'not a function'],
    [Promise.resolve({}), 'not a promise: await it first'],
  ]
  for (const [wrong, says] of WRONG)
    test(says.slice(4), () => {
      const call = () => clickIdFromCookies(wrong as string)
      expect(call).toThrow(TributaryArgumentError)
      expect(call).toThrow(says)
    })
})

test('whatever a visitor puts into the cookies, nothing is thrown and what comes out can be sent', () => {
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
