import { expect, test } from 'bun:test'
import type { Performance, PortalEarning } from '@tributary/contract'
import { metricsOf } from '../src/pages/overview/metrics.ts'
import { sumText } from '../src/pages/payouts/sums.ts'
import { wordsOf } from '../src/pages/portal/earning-words.ts'

test('sums of several currencies are a list as people write one', () => {
  const usd = { currency: 'USD', amountCents: 7_720 }
  const eur = { currency: 'EUR', amountCents: 100 }
  const jpy = { currency: 'JPY', amountCents: 1_000 }
  expect(sumText([usd])).toBe('$77.20')
  expect(sumText([usd, usd, eur])).toBe('$154.40 and €1.00')
  expect(sumText([jpy, eur, usd])).toBe('¥1,000, €1.00 and $77.20')
})

test('commissions on revenue in several currencies are no share of one of them', () => {
  const revenue = [
    { currency: 'USD', amountCents: 1_000 },
    { currency: 'EUR', amountCents: 1_000 },
  ]
  const totals = { ...NOTHING, revenue, commissions: [{ currency: 'USD', amountCents: 400 }] }
  const metrics = metricsOf({ totals, previous: null, days: [] } as unknown as Performance, 'USD')
  expect(metrics.at(-1)?.note).toBe('before refunds')
})

const NOTHING = { clicks: 0, leads: 0, sales: 0, revenue: [], commissions: [] }

test('where there is nothing, no share of nothing is told', () => {
  const notes = (totals: object) =>
    metricsOf({ totals: { ...NOTHING, ...totals }, previous: null, days: [] } as unknown as Performance, 'USD').map(
      ({ note }) => note,
    )
  expect(notes({})).toEqual(['on referral links', '', '', 'credited to partners', ''])
  expect(notes({ clicks: 4, leads: 1, commissions: [{ currency: 'USD', amountCents: 100 }] })).toEqual([
    'on referral links',
    '25% of clicks',
    '0% of leads',
    'credited to partners',
    'before refunds',
  ])
})

const RAISED = {
  ...{ amountCents: 3_000, reversedCents: 0, paidCents: 1_000, disputedCents: 0, inPayoutCents: 0, currency: 'USD' },
  ...{ state: 'payable', inPayout: false, heldForApproval: false, voidReason: null, because: [] },
} as unknown as PortalEarning

test('of an earning that was raised after it was paid, both parts are told', () => {
  expect(wordsOf(RAISED)).toEqual(['$10.00 of it was paid out to you. The rest follows.', 'Ready for the next payout.'])
  expect(wordsOf({ ...RAISED, state: 'paid', paidCents: 3_000 })).toEqual(['Paid out to you.'])
})

test('of an earning that was voided, the reason is told', () => {
  const because = ['The program voided it: “A test order”.']
  expect(wordsOf({ ...RAISED, state: 'reversed', reversedCents: 3_000, voidReason: 'A test order', because })).toEqual([
    'Voided.',
    ...because,
  ])
})
