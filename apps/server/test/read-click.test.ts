import { describe, expect, test } from 'bun:test'
import { AFF_PARAMETER, clickRequest, readClick } from '@tributary/contract'
import fc from 'fast-check'
import { findAff } from '../src/tracking/clicks/record-click.ts'
import { sized } from './support/size.ts'

const RUNS = { numRuns: sized({ short: 300, long: 2_000 }) }
const FIELDS = Object.keys(clickRequest.shape)

/** Everything a schema could see: any JSON, text at the length limits, and values that Postgres rejects. */
const odd = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    'a\0b',
    '1920x1080',
    '1920x1080 ',
    '123456x1',
    '12345x12345',
    '1x1\n',
    null,
    undefined,
  ),
  fc
    .tuple(fc.constantFrom('a', 'ü', '😀', '\0'), fc.constantFrom(34, 35, 64, 128, 255, 512, 2048, 3000))
    .map(([text, times]) => text.repeat(times)),
  fc.record(
    { test_mode: fc.oneof(fc.boolean(), fc.jsonValue()), program_id: fc.oneof(fc.integer(), fc.jsonValue()) },
    { requiredKeys: [] },
  ),
)
const body = fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string()), odd)

describe('the fast click parser', () => {
  test('agrees with the contract’s schema on every input', () => {
    fc.assert(
      fc.property(body, (sent) => {
        expect(readClick(sent)).toEqual(clickRequest.parse(sent))
      }),
      RUNS,
    )
  })

  test('knows every field of the schema', () => {
    const sent = Object.fromEntries(FIELDS.map((field) => [field, field.match(/screen|viewport/) ? '1x1' : 'text']))
    expect(readClick(sent)).toEqual(clickRequest.parse(sent))
    expect(Object.keys(readClick({})).toSorted()).toEqual(FIELDS.toSorted())
  })
})

describe('the fast aff search', () => {
  const piece = fc.constantFrom(
    'aff',
    'aff=',
    'aff=x',
    'aff=y',
    'affe=z',
    'caff=z',
    'AFF=z',
    '=aff',
    '&',
    '?',
    '#',
    '+',
    '%61ff=q',
    'aff=a%20b',
    'aff=a+b',
    "'",
    'ü',
    ' ',
    '\t',
    '\ud800',
    'aff=ü',
    'aff=a=b',
  )
  const address = fc
    .tuple(
      fc.constantFrom(
        'https://shop.example/?',
        'https://shop.example?',
        'foo:bar?',
        'https://shop.example/aff=p?',
        'https://shop.example/#',
      ),
      fc.array(piece),
      fc.constantFrom('&', ''),
    )
    .map(([start, pieces, between]) => start + pieces.join(between))

  test('agrees with searchParams', () => {
    fc.assert(
      fc.property(address, (text) => {
        const url = new URL(text)
        expect(findAff(url) || null).toBe(url.searchParams.get(AFF_PARAMETER) || null)
      }),
      RUNS,
    )
  })
})
