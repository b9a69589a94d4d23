import { describe, expect, test } from 'bun:test'
import { hidePersonalData } from '../../src/processor/personal-data/hide-personal-data.ts'
import shapes2024 from './shapes/2024.json'
import shapes2026 from './shapes/2026.json'

type Fields = Record<string, unknown>
const hidden = (fields: Fields) => hidePersonalData(fields) as Fields

/** The payload with `change` applied to each single value in it. */
const walk = (value: unknown, change: (key: string, leaf: unknown) => unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => walk(item, change, key))
  if (typeof value !== 'object' || value === null) return change(key, value)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, change, name)]))
}

const PERSONAL =
  /name$|email|phone|address|line\d|city|state$|zip|postal|(^|_)ip$|description|comment|(^|_)note$|label|message|url$|last4/
const IDENTIFYING = /^(id|object|payment_intent|charge|invoice|subscription|customer|balance_transaction)$/

describe.each([
  ['2024', shapes2024 as Fields],
  ['2026', shapes2026 as Fields],
])('for every example payload of %s', (_, shapes) => {
  test.each(Object.entries(shapes))('%s: no personal field or free text is left, filled or not', (_, payload) => {
    for (const text of [
      'Jane Roe',
      'jane@roe.test',
      '12 Elm Street',
      '+1 (415) 555-0100',
      '4155550100',
      '203.0.113.9',
    ]) {
      let filled = 0
      const person = walk(payload, (key, leaf) => {
        if (!PERSONAL.test(key) || typeof leaf === 'boolean') return leaf
        filled++
        return text
      })
      const shown = JSON.stringify(hidePersonalData({ description: text, object: person }))
      expect({ text, filled, shown: shown.includes(text) }).toEqual({ text, filled, shown: false })
    }
  })

  test.each(Object.entries(shapes))('%s: identifiers, amounts, statuses and currencies stay', (_, shape) => {
    // Without an example identifier, a shape has the name of the field instead.
    const payload = walk(shape, (key, leaf) => (leaf === key ? `${key.slice(0, 2)}_1Pgc6sB7WZ01` : leaf))
    const kept: unknown[] = []
    const collect = (key: string, leaf: unknown) => {
      const isKept = /amount|total|currency$|status$/.test(key) || IDENTIFYING.test(key)
      if (isKept && !PERSONAL.test(key)) kept.push([key, leaf])
      return leaf
    }
    walk(payload, collect)
    const before = kept.splice(0)
    walk(hidePersonalData(payload), collect)
    expect(kept).toEqual(before)
  })
})

describe('personal data in any place is hidden:', () => {
  test.each([
    ['a description', { description: 'Deliver to 12 Elm Street', address: { line1: '12 Elm Street' } }, 'Elm'],
    ['a merchant’s reference', { client_reference_id: 'Jane Roe' }, 'Jane'],
    ['a reference that looks like an identifier', { client_reference_id: 'user_jane1980' }, 'jane'],
    ['an identifier in metadata', { metadata: { order_id: 'Jane Roe' } }, 'Jane'],
    ['the name of a metadata field', { metadata: { 'jane@roe.test': 1 } }, 'jane'],
    ['a word as the name of a metadata field', { previous_attributes: { metadata: { jane: null } } }, 'jane'],
    ['data of a checkout', { custom_data: { who: { jane: 'x' } }, custom_fields: [{ key: 'jane' }] }, 'jane'],
    ['a note', { phone: '+14155550100', note: 'call (415) 555-0100' }, '555'],
    ['a place', { latest_location: { city: 'Springfield', latitude: 51.5 } }, /Springfield|51/],
    ['a number that is a phone number or a postcode', { phone: 4155550100, zip: 94107 }, /\d{5}/],
    ['the name of any other field', { options: { 'jane@roe.test': {} } }, 'jane'],
    ['free text where a word is expected', { reason: 'Jane Roe moved', status: 'jane@roe.test' }, /jane/i],
    ['a customer key that is an address', { metadata: { service_customer_key: 'jane@roe.test' } }, 'jane'],
    ['a user name', { other: 'jane_roe_smith', username: 'jane_roe1980', description: 'jane_roe1980' }, 'jane'],
    ['custom data of a checkout form', { checkout_data: { custom: { jane: 'usr_jane1980' } } }, 'jane'],
    ['a date of birth', { dob: { day: 7, year: 1980 }, birthday: '1980-01-07' }, /7|1980/],
  ])('%s', (_, fields, secret) => {
    expect(JSON.stringify(hidden(fields))).not.toMatch(secret)
  })

  test('except what distinguishes events', () => {
    const [paddle, lemonSqueezy, polar] = [
      {
        event_id: 'evt_01h8e1jxjnw9ra6zarhnz1a7y1',
        event_type: 'transaction.completed',
        occurred_at: '2023-08-22T07:15:45.366122Z',
        currency_code: 'USD',
        collection_mode: 'automatic',
        totals: { subtotal: '59900', tax_rate: '0.08875', grand_total: '65215', fee: '3311' },
      },
      { meta: { event_name: 'order_created' }, data: { type: 'orders', id: '1', status: 'paid', total: 5899 } },
      { id: '1dbfc517-0bbf-4301-9ba8-555ca42b9737', billing_reason: 'purchase', recurring_interval: 'month' },
    ]
    for (const payload of [paddle, lemonSqueezy, polar]) expect(hidden(payload)).toEqual(payload)
    expect(hidden({ metadata: { a: 'x', program_id: '7', service_click_id: 'clk-1', b: 2 } })).toEqual({
      metadata: {
        '[redacted 1]': '[redacted]',
        program_id: '7',
        service_click_id: 'clk-1',
        '[redacted 2]': '[redacted]',
      },
    })
  })
})
