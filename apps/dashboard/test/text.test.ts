import { expect, test } from 'bun:test'
import type { Performance, PortalEarning } from '@tributary/contract'
import { formatAgo } from '../src/components/format/format.ts'
import { buildMetrics } from '../src/pages/overview/metrics.ts'
import { formatTotals } from '../src/pages/payouts/totals.ts'
import { describeEarning } from '../src/pages/portal/earning-text.ts'

test('totals in several currencies read as a list', () => {
  const usd = { currency: 'USD', amountCents: 7_720 }
  const eur = { currency: 'EUR', amountCents: 100 }
  const jpy = { currency: 'JPY', amountCents: 1_000 }
  expect(formatTotals([usd])).toBe('$77.20')
  expect(formatTotals([usd, usd, eur])).toBe('$154.40 and €1.00')
  expect(formatTotals([jpy, eur, usd])).toBe('¥1,000, €1.00 and $77.20')
})

test('with revenue in several currencies, commissions show no percentage', () => {
  const revenue = [
    { currency: 'USD', amountCents: 1_000 },
    { currency: 'EUR', amountCents: 1_000 },
  ]
  const totals = { ...NOTHING, revenue, commissions: [{ currency: 'USD', amountCents: 400 }] }
  const metrics = buildMetrics({ totals, previous: null, days: [] } as unknown as Performance, 'USD')
  expect(metrics.at(-1)?.note).toBe('before reversals')
})

const NOTHING = { clicks: 0, leads: 0, sales: 0, revenue: [], commissions: [] }

test('percentages are hidden when the total is zero', () => {
  const notes = (totals: object) =>
    buildMetrics({ totals: { ...NOTHING, ...totals }, previous: null, days: [] } as unknown as Performance, 'USD').map(
      ({ note }) => note,
    )
  expect(notes({})).toEqual(['on referral links', '', 'credited to partners', 'credited to partners', ''])
  expect(notes({ clicks: 4, leads: 1, commissions: [{ currency: 'USD', amountCents: 100 }] })).toEqual([
    'on referral links',
    '25% of clicks',
    'credited to partners',
    'credited to partners',
    'before reversals',
  ])
  expect(notes({ clicks: 4, leads: 2, sales: 3 })[2]).toBe('credited to partners, 1.5 per lead')
})

test('relative times count calendar days', () => {
  const now = Date.parse('2026-03-10T15:00:00')
  const ago = (local: string) => formatAgo(new Date(local).toISOString(), now)
  expect(ago('2026-03-10T14:59:30')).toBe('just now')
  expect(ago('2026-03-10T14:20:00')).toBe('40 min. ago')
  expect(ago('2026-03-10T01:00:00')).toBe('14 hr. ago')
  expect(ago('2026-03-09T20:00:00')).toBe('yesterday')
  expect(ago('2026-03-09T00:30:00')).toBe('yesterday')
  // 39 hours ago, but two calendar days.
  expect(ago('2026-03-08T23:59:00')).toBe('2 days ago')
  expect(ago('2026-03-01T12:00:00')).toBe('Mar 1, 2026')
})

const RAISED = {
  ...{ amountCents: 3_000, reversedCents: 0, paidCents: 1_000, disputedCents: 0, inPayoutCents: 0, currency: 'USD' },
  ...{ state: 'payable', inPayout: false, heldForApproval: false, voidReason: null, because: [] },
} as unknown as PortalEarning

test('a commission raised after payment shows both parts', () => {
  expect(describeEarning(RAISED)).toEqual([
    '$10.00 was already paid to you. The rest follows.',
    'Will be included in the next payout.',
  ])
  expect(describeEarning({ ...RAISED, state: 'paid', paidCents: 3_000 })).toEqual(['Paid to you.'])
})

test('a voided commission shows the reason', () => {
  const because = ['The program voided it: “A test order”.']
  expect(
    describeEarning({ ...RAISED, state: 'reversed', reversedCents: 3_000, voidReason: 'A test order', because }),
  ).toEqual(['Voided.', ...because])
})
