import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { toDecimal } from '@tributary/contract'
import fc from 'fast-check'
import { payableAt, reversedCents, saleReward, type Terms } from '../../src/money/rewards/rewards.ts'
import { cases, NIGHTLY_TIMEOUT_MS } from './nightly.ts'

setDefaultTimeout(NIGHTLY_TIMEOUT_MS)

const RUNS = { numRuns: cases({ short: 500, small: 3_000, nightly: 100_000 }) }

const amount = fc.integer({ min: 1, max: 1_000_000_000_000 })
const bps = fc.integer({ min: 1, max: 10_000 })
const SOLD_AT = new Date('2026-03-01T00:00:00Z')

/** Half up, with a remainder instead of a doubled product, and without floating point. */
const oracle = (value: number, part: number, whole: number) => {
  const [product, divisor] = [BigInt(value) * BigInt(part), BigInt(whole)]
  const rest = product % divisor
  return (product - rest) / divisor + (rest >= divisor - rest ? 1n : 0n)
}

const percentage = (amountCents: number, salePercentBps: number) => {
  const terms: Terms = {
    version: 1,
    currency: 'USD',
    leadAmountCents: null,
    salePercentBps,
    saleAmountCents: null,
    saleDuration: 'lifetime',
    saleMonths: null,
    holdDays: 0,
  }
  const reward = saleReward(terms, { amountCents, currency: 'USD', soldAt: SOLD_AT, firstSoldAt: null })
  return typeof reward === 'string' ? 0 : reward.amountCents
}

/** A sale, its commission, and refunds that add up to at most the whole sale. */
const refundedSale = fc
  .record({ sale: amount, rate: bps, cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }) })
  .map(({ sale, rate, cuts }) => {
    const marks = [...new Set([...cuts.map((cut) => Math.floor(cut * sale)), sale])].toSorted((a, b) => a - b)
    return { sale, commission: percentage(sale, rate), cumulative: marks }
  })

describe('a percentage', () => {
  test('is the exact fraction rounded half up: an integer, never more than the sale', () => {
    fc.assert(
      fc.property(amount, bps, (sale, rate) => {
        const earned = percentage(sale, rate)
        expect(Number.isSafeInteger(earned)).toBe(true)
        expect(BigInt(earned)).toBe(oracle(sale, rate, 10_000))
        expect(earned).toBeLessThanOrEqual(sale)
      }),
      RUNS,
    )
  })

  test('of 100 % is the whole sale, and it grows with the sale and with the rate', () => {
    fc.assert(
      fc.property(amount, amount, bps, bps, (a, b, low, high) => {
        expect(percentage(a, 10_000)).toBe(a)
        expect(percentage(Math.min(a, b), low)).toBeLessThanOrEqual(percentage(Math.max(a, b), low))
        expect(percentage(a, Math.min(low, high))).toBeLessThanOrEqual(percentage(a, Math.max(low, high)))
      }),
      RUNS,
    )
  })
})

describe('a reward for N months', () => {
  const rewardAt = (firstSoldAt: string, soldAt: string) => {
    const terms: Terms = {
      version: 1,
      currency: 'USD',
      leadAmountCents: null,
      salePercentBps: 1_000,
      saleAmountCents: null,
      saleDuration: 'months',
      saleMonths: 1,
      holdDays: 0,
    }
    const sale = { amountCents: 1_000, currency: 'USD', soldAt: new Date(soldAt), firstSoldAt: new Date(firstSoldAt) }
    return saleReward(terms, sale)
  }

  test.each([
    ['2026-01-15T10:00:00.000Z', '2026-02-15T09:59:59.999Z', '2026-02-15T10:00:00.000Z'],
    // A month without such a day ends with its last one.
    ['2026-01-31T10:00:00.000Z', '2026-02-28T09:59:59.999Z', '2026-02-28T10:00:00.000Z'],
  ])('that started at %s is paid until %s and no longer at %s', (first, last, over) => {
    expect(rewardAt(first, last)).toEqual({ amountCents: 100, currency: 'USD' })
    expect(rewardAt(first, over)).toBe('reward_period_over')
  })
})

describe('a reversal', () => {
  test('is the exact fraction rounded half up, never beyond the commission', () => {
    fc.assert(
      fc.property(refundedSale, ({ sale, commission, cumulative }) => {
        for (const refunded of cumulative) {
          const reversed = reversedCents(commission, refunded, sale)
          expect(Number.isSafeInteger(reversed)).toBe(true)
          expect(BigInt(reversed)).toBe(oracle(commission, refunded, sale))
          expect(reversed).toBeLessThanOrEqual(commission)
        }
      }),
      RUNS,
    )
  })

  test('in any parts: no part is negative, the parts sum to the whole, and a refund of zero reverses nothing', () => {
    fc.assert(
      fc.property(refundedSale, ({ sale, commission, cumulative }) => {
        let [before, sum] = [reversedCents(commission, 0, sale), 0]
        expect(before).toBe(0)
        for (const refunded of cumulative) {
          const now = reversedCents(commission, refunded, sale)
          expect(now).toBeGreaterThanOrEqual(before)
          sum += now - before
          before = now
        }
        expect(sum).toBe(commission)
      }),
      RUNS,
    )
  })
})

describe('an amount as text', () => {
  test('shows every unit in currencies with zero, two and three decimals, without a float', () => {
    const digits = { JPY: 0, EUR: 2, KWD: 3 } as const
    const currency = fc.constantFrom('JPY', 'EUR', 'KWD')
    const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
    fc.assert(
      fc.property(cents, currency, (value, code) => {
        const text = toDecimal(value, code)
        expect(text).toMatch(digits[code] === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${digits[code]}}$`))
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(value))
      }),
      RUNS,
    )
  })
})

describe('the payable date', () => {
  test('is N days of 24 hours later, to the millisecond', () => {
    const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 365 }), (at, days) => {
        expect(BigInt(payableAt(at, days).getTime())).toBe(BigInt(at.getTime()) + BigInt(days) * 86_400_000n)
      }),
      RUNS,
    )
  })
})
