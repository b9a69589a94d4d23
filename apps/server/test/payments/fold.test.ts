import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { foldReports } from '../../src/payments/fold-reports.ts'
import { type PaymentReport, type ReportBody, SAME_PAYMENT } from '../../src/payments/payment-report.ts'
import { cases } from '../money/nightly.ts'
import { paid } from './given-payments.ts'

const T0 = Date.parse('2026-01-01T12:00:00Z')
const report = (says: ReportBody, second = 0, more: Partial<PaymentReport> = {}): PaymentReport => ({
  references: ['pi_1'],
  at: new Date(T0 + second * 1_000),
  attribution: null,
  says,
  ...more,
})
const refund = (refundId: string, grossCents: number, state: 'made' | 'failed' = 'made'): ReportBody => ({
  kind: 'refund',
  refundId,
  grossCents,
  currency: 'USD',
  state,
  reason: null,
})
const due = (grossCents: number, netCents: number, currency = 'USD'): ReportBody => ({
  kind: 'pending',
  due: { grossCents, netCents, currency },
})
const inAll = (grossCents: number): ReportBody => ({ kind: 'refunded_in_all', grossCents, currency: 'USD' })

describe('a folded payment', () => {
  test.each<[string, ReportBody[], number | null]>([
    ['a bare payment counts in full', [paid(119)], 119],
    ['a checkout knows the tax', [paid(119), paid(119, { netCents: 100, source: 'checkout' })], 100],
    [
      'an invoice knows better than a checkout',
      [paid(119, { netCents: 100, source: 'checkout' }), paid(119, { netCents: 99, source: 'invoice' })],
      99,
    ],
    [
      'an invoice without tax knows less',
      [paid(119, { source: 'invoice' }), paid(119, { netCents: 100, source: 'checkout' })],
      100,
    ],
    ['an amount of zero is not a payment', [paid(0, { netCents: 0, source: 'invoice' })], null],
    ['pending is not paid', [{ kind: 'pending' }], null],
    ['a pending report of the same amount knows the tax', [paid(119), due(119, 100)], 100],
    ['… but not of another amount', [paid(60), due(119, 100)], 60],
    ['… nor of another currency', [paid(119), { ...due(119, 100, 'EUR') }], 119],
    ['… nor over a report of the payment itself', [paid(119, { netCents: 99 }), due(119, 100)], 99],
    ['an amount that stays pending is not paid either', [due(119, 100)], null],
  ])('%s', (_, words, netCents) => {
    const state = foldReports(words.map((says) => report(says)))
    expect(state.paid?.netCents ?? null).toBe(netCents)
  })

  test('has the earliest time of all reports', () => {
    expect(foldReports([report(paid(119), 5), report(paid(119), 3)]).paid?.soldAt).toEqual(new Date(T0 + 3_000))
  })

  test('has the end of the second that a processor names, never later than the report arrived', () => {
    const reportedAt = (receivedAt?: number) => ({
      ...report(paid(119), 3, { withinMs: 999 }),
      ...(receivedAt && { receivedAt: new Date(receivedAt) }),
    })
    const soldAt = (...reports: ReturnType<typeof reportedAt>[]) => Number(foldReports(reports).paid?.soldAt) - T0
    expect(soldAt(reportedAt())).toBe(3_999)
    expect(soldAt(reportedAt(T0 + 3_400))).toBe(3_400)
    expect(soldAt(reportedAt(T0 + 60_000), reportedAt(T0 + 90_000))).toBe(3_999)
    // A slow clock on our side does not move it before the processor's time.
    expect(soldAt(reportedAt(T0))).toBe(3_000)
  })

  test('takes each of the three keys from any report that has it', () => {
    const one = report(paid(119), 0, { attribution: { programId: 1, customerKey: null, clickId: 'c' } })
    const other = report(SAME_PAYMENT, 0, { attribution: { programId: 1, customerKey: 'k', clickId: null } })
    expect(foldReports([one, other]).attribution).toEqual({ programId: 1, customerKey: 'k', clickId: 'c' })
  })
})

describe('the amount refunded', () => {
  test.each<[string, [ReportBody, number][], number]>([
    [
      'single refunds add up',
      [
        [refund('a', 10), 1],
        [refund('b', 20), 2],
      ],
      30,
    ],
    [
      'a repeated report is one refund',
      [
        [refund('a', 10), 1],
        [refund('a', 10), 1],
      ],
      10,
    ],
    [
      'a total and its parts are the same money',
      [
        [refund('a', 10), 1],
        [inAll(30), 2],
      ],
      30,
    ],
    [
      'the highest total is the latest',
      [
        [inAll(30), 2],
        [inAll(10), 1],
      ],
      30,
    ],
    [
      'a failed refund was never refunded',
      [
        [refund('a', 10), 1],
        [refund('a', 10, 'failed'), 3],
      ],
      0,
    ],
    [
      'a total from before the failure is too high by it',
      [
        [inAll(30), 2],
        [refund('a', 10, 'failed'), 3],
      ],
      20,
    ],
    [
      'a total from after the failure is right',
      [
        [refund('a', 10, 'failed'), 3],
        [inAll(30), 4],
      ],
      30,
    ],
  ])('%s', (_, words, cents) => {
    const reports = words.map(([says, second]) => report(says, second))
    expect(foldReports([report(paid(100)), ...reports]).refundedGrossCents).toBe(cents)
  })
})

test('a dispute in another currency covers the whole payment, because its share is unknown', () => {
  const dispute = (currency: string): ReportBody => ({
    kind: 'dispute',
    disputeId: 'dp_1',
    state: 'open',
    grossCents: 67,
    currency,
  })
  const disputed = (...said: ReportBody[]) =>
    foldReports([paid(119), ...said].map((says) => report(says))).disputes.map(({ grossCents }) => grossCents)
  expect(disputed(dispute('USD'))).toEqual([67])
  expect(disputed(dispute('EUR'))).toEqual([null])
  expect(disputed(dispute('EUR'), dispute('USD'))).toEqual([67])
})

const words: fc.Arbitrary<ReportBody> = fc.oneof(
  fc.record({
    kind: fc.constant('paid' as const),
    grossCents: fc.constantFrom(0, 100, 119),
    netCents: fc.constantFrom(null, 0, 90, 100),
    currency: fc.constantFrom('USD', 'EUR'),
    source: fc.constantFrom('invoice' as const, 'checkout' as const, 'payment' as const),
    subscriptionId: fc.constantFrom(null, 'sub_1', 'sub_2'),
  }),
  fc.constantFrom<ReportBody>({ kind: 'pending' }, due(119, 100), due(119, 90), { kind: 'failed' }, SAME_PAYMENT),
  fc.record({
    kind: fc.constant('refund' as const),
    refundId: fc.constantFrom('re_1', 're_2'),
    grossCents: fc.constantFrom(10, 20),
    currency: fc.constantFrom('USD', 'EUR'),
    state: fc.constantFrom('made' as const, 'failed' as const),
    reason: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('refunded_in_all' as const),
    grossCents: fc.constantFrom(10, 30),
    currency: fc.constantFrom('USD', 'EUR'),
  }),
  fc.record({
    kind: fc.constant('dispute' as const),
    grossCents: fc.constantFrom(null, 50, 119),
    disputeId: fc.constantFrom('dp_1', 'dp_2'),
    state: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
    currency: fc.constantFrom('USD', 'EUR'),
  }),
)
const reports = fc.array(
  fc.record({
    says: words,
    references: fc.constantFrom<[string, ...string[]]>(['pi_1'], ['in_1', 'pi_1'], ['cs_1']),
    at: fc.integer({ min: 0, max: 5 }).map((second) => new Date(T0 + second * 1_000)),
    attribution: fc.option(
      fc.record({
        programId: fc.constantFrom(1, 2),
        customerKey: fc.constantFrom(null, 'k', 'l'),
        clickId: fc.constantFrom(null, 'c', 'd'),
      }),
    ),
  }),
  { minLength: 1, maxLength: 8 },
)

test('neither order nor repetition of the reports makes a difference', () => {
  fc.assert(
    fc.property(
      reports.chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.array(fc.constantFrom(...all)).chain((again) =>
            fc.shuffledSubarray([...all, ...again], {
              minLength: all.length + again.length,
            }),
          ),
        ),
      ),
      ([all, shuffled]) => expect(foldReports(shuffled)).toEqual(foldReports(all)),
    ),
    { numRuns: cases({ short: 500, small: 2_000, nightly: 100_000 }) },
  )
})

describe('a payment in several charges', () => {
  const total = (charge: string, grossCents: number): PaymentReport => ({
    references: [charge, 'pi_1'],
    at: new Date(5_000),
    attribution: null,
    says: { kind: 'refunded_in_all', grossCents, currency: 'USD' },
  })
  const ofPayment = (name: string, grossCents: number): PaymentReport => ({
    ...total(name, grossCents),
    says: { kind: 'refunded_in_all', grossCents, currency: 'USD', isOfPayment: true },
  })
  const single = (references: [string, ...string[]], grossCents: number): PaymentReport => ({
    references,
    at: new Date(5_000),
    attribution: null,
    says: { kind: 'refund', refundId: `re_${references[0]}`, grossCents, currency: 'USD', state: 'made', reason: null },
  })

  test.each<[string, PaymentReport[], number]>([
    ['adds up their totals', [total('ch_1', 50), total('ch_2', 30)], 80],
    ['takes the greatest of each', [total('ch_1', 50), total('ch_1', 20), total('ch_2', 30)], 80],
    ['adds a charge reported only by a refund', [total('ch_1', 50), single(['ch_2', 'pi_1'], 30)], 80],
    ['does not count a refund twice', [total('ch_1', 50), single(['ch_1', 'pi_1'], 50)], 50],
    ['nor one that names only the payment', [total('ch_1', 50), single(['pi_1'], 50)], 50],
    ['nor one of the payment that its order and invoice report', [ofPayment('order', 50), ofPayment('inv', 50)], 50],
    [
      'takes the greatest total of the payment',
      [ofPayment('order', 20), ofPayment('inv', 50), ofPayment('inv', 30)],
      50,
    ],
  ])('%s', (_, reports, cents) => {
    expect(foldReports(reports).refundedGrossCents).toBe(cents)
  })
})
