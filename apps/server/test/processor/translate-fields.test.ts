import { describe, expect, test } from 'bun:test'
import { toDecimal } from '@tributary/contract'
import { ATTRIBUTION, METADATA, reportOf, translateEvent } from './given-translation.ts'
import { stripePayment, type TestEvent } from './stripe-events.ts'

const reported = (given: TestEvent) => reportOf(translateEvent(given))

describe('amounts are exact in every currency', () => {
  // What Stripe sends, and the amount in major units: https://docs.stripe.com/currencies
  test.each([
    ['usd', 1050, '10.50'],
    ['jpy', 500, '500'],
    ['krw', 500, '500'],
    ['kwd', 12_340, '12.340'],
    ['tnd', 1000, '1.000'],
    ['isk', 500, '5'],
    ['ugx', 500, '5'],
    ['huf', 45_000, '450.00'],
    ['mga', 500, '500.00'],
    ['clp', 500, '500'],
  ])('%s %d is %s', (currency, amount, major) => {
    const { says } = reported(stripePayment({ amount, tax: 0, currency }).completed())
    if (says.kind !== 'paid') throw new Error(says.kind)
    expect(toDecimal(says.grossCents, says.currency)).toBe(major)
    expect(says.netCents).toBe(says.grossCents)
  })

  test.each([
    ['negative', { amount_total: -5 }],
    ['missing', { amount_total: null }],
    ['a fraction', { amount_total: 10.5 }],
    ['text', { amount_total: '1000' }],
    ['beyond 10^12', { amount_total: 1e12 + 1 }],
    ['in no currency', { currency: 'zzz' }],
  ])('an amount %s is ignored, not guessed', (_, fields) => {
    expect(translateEvent(stripePayment().completed(fields))).toEqual({ ignored: 'amount_missing' })
  })

  test('a tax larger than the total is ignored', () => {
    expect(reported(stripePayment({ amount: 100, tax: 200 }).completed()).says).toMatchObject({ netCents: null })
  })
})

describe('metadata is untrusted input:', () => {
  test.each([
    ['no number', { ...METADATA, program_id: 'seven' }, null],
    ['a number that is too large', { ...METADATA, program_id: '99999999999' }, null],
    ['missing', { service_customer_key: 'user_42' }, null],
    ['with NUL in the key', { ...METADATA, service_customer_key: 'a\0b' }, { ...ATTRIBUTION, customerKey: null }],
    [
      'with a click that is too long',
      { ...METADATA, service_click_id: 'x'.repeat(256) },
      { ...ATTRIBUTION, clickId: null },
    ],
    ['with spaces around it', { ...METADATA, program_id: ' 7 ' }, ATTRIBUTION],
    ['with a leading zero', { ...METADATA, program_id: '07' }, null],
    [
      'not text',
      { program_id: 7, service_customer_key: 5, service_click_id: {} },
      { programId: 7, customerKey: null, clickId: null },
    ],
  ])('program or customer %s', (_, metadata, attribution) => {
    expect(reported(stripePayment({ metadata }).completed()).attribution).toEqual(attribution)
  })

  test('names the customer, never the amount', () => {
    const metadata = { ...METADATA, amount: '1', amount_total: '1', commission: '100000' }
    expect(reported(stripePayment({ metadata }).completed()).says).toMatchObject({ grossCents: 1190, netCents: 1000 })
  })
})
