import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Performance, PortalEarning, Step } from '@tributary/contract'
import { Glob } from 'bun'
import { niceTicks } from '../src/components/chart/nice-ticks.ts'
import {
  formatAgo,
  formatChange,
  formatMoneyCompact,
  formatPercent,
  formatRate,
} from '../src/components/format/format.ts'
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
  expect(metrics.find(({ name }) => name === 'commissions')?.note).toBe('before reversals')
})

const NOTHING = { clicks: 0, leads: 0, sales: 0, revenue: [], commissions: [] }

test('percentages are hidden when the total is zero', () => {
  const notes = (totals: object) =>
    buildMetrics({ totals: { ...NOTHING, ...totals }, previous: null, days: [] } as unknown as Performance, 'USD').map(
      ({ note }) => note,
    )
  expect(notes({})).toEqual(['credited to partners', '', 'on referral links', '', 'credited to partners'])
  expect(notes({ clicks: 4, leads: 1, commissions: [{ currency: 'USD', amountCents: 100 }] })).toEqual([
    'credited to partners',
    'before reversals',
    'on referral links',
    '25.0% of clicks',
    'credited to partners',
  ])
})

test('percentages have one decimal below 100%, and rates are shown as they were set', () => {
  const shown = [0, 0.0004, 0.00604, 0.0987, 0.1, 0.901, 0.9996, 1, 2.234, -0.5].map(formatPercent)
  expect(shown).toEqual(['0%', '0.04%', '0.6%', '9.9%', '10.0%', '90.1%', '100%', '100%', '223%', '-50.0%'])
  expect([0.2, 0.125, 0.1225].map(formatRate)).toEqual(['20%', '12.5%', '12.25%'])
})

test('a change above 999% is not counted out', () => {
  expect([0.25, -0.5, 9.99, 9.994, 9.995, 123.45].map(formatChange)).toEqual([
    ...['25.0%', '50.0%', '999%', '999%', '>999%', '>999%'],
  ])
})

test('axis ticks are even, round and whole', () => {
  expect(niceTicks(0)).toEqual([0])
  expect(niceTicks(1)).toEqual([0, 1])
  expect(niceTicks(3)).toEqual([0, 1, 2, 3])
  expect(niceTicks(56)).toEqual([0, 20, 40, 60])
  expect(niceTicks(101)).toEqual([0, 50, 100, 150])
  expect(niceTicks(123_456)).toEqual([0, 50_000, 100_000, 150_000])
  for (let max = 1; max < 3_000; max += 7) {
    const ticks = niceTicks(max)
    const gaps = new Set(ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)))
    expect({ max, gaps: gaps.size, isWhole: ticks.every(Number.isInteger) }).toEqual({ max, gaps: 1, isWhole: true })
    expect((ticks.at(-1) ?? 0) >= max && ticks.length <= 6).toBe(true)
  }
  const labels = niceTicks(12).map((cents) => formatMoneyCompact(cents, 'USD'))
  expect(labels).toEqual(['$0', '$0.05', '$0.10', '$0.15'])
  expect([2_000, 120_000].map((cents) => formatMoneyCompact(cents, 'USD'))).toEqual(['$20', '$1.2K'])
  expect(formatMoneyCompact(1_500, 'JPY')).toBe('¥1.5K')
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
  expect(formatAgo(new Date('2026-03-09T20:00:00').toISOString(), now, true)).toBe('yesterday, 8:00 PM')
})

const RAISED = {
  amountCents: 3_000,
  reversedCents: 0,
  paidCents: 1_000,
  disputedCents: 0,
  inPayoutCents: 0,
  currency: 'USD',
  state: 'payable',
  inPayout: false,
  heldForApproval: false,
  partnerStatus: 'approved',
  voidReason: null,
  reasons: [],
} as unknown as PortalEarning

const reason = (code: Step['code'], text: string): Step => ({ kind: 'reason', code, parts: [{ type: 'text', text }] })

const APPROVED = { status: 'approved', programName: 'Acme' } as const

test('a commission raised after payment shows both parts', () => {
  expect(describeEarning(RAISED, APPROVED)).toEqual([
    '$10.00 was already paid to you. The rest follows.',
    'Included in the next payout.',
  ])
  expect(describeEarning({ ...RAISED, state: 'paid', paidCents: 3_000 }, APPROVED)).toEqual(['Paid to you.'])
  const refunded = { ...RAISED, state: 'paid', reversedCents: 1_500, paidCents: 3_000 } as const
  expect(describeEarning(refunded, APPROVED)[0]).toBe(
    'You were paid $30.00; $15.00 will be deducted from your next payout.',
  )
  expect(describeEarning({ ...refunded, paidCents: 1_500 }, APPROVED)[0]).toBe('You were paid $15.00 of $30.00.')
  const reasons = [reason('refund_reversed_part', 'Part of the sale was refunded to the customer.')]
  const reversed = { ...refunded, paidCents: 1_500, reasons }
  expect(describeEarning(reversed, APPROVED)).toEqual([
    'You were paid $15.00 of $30.00.',
    'The other $15.00 was reversed.',
    'Part of the sale was refunded to the customer.',
  ])
  expect(describeEarning(RAISED, { ...APPROVED, reward: { minimumPayoutCents: 5_000, currency: 'USD' } })).toContain(
    'Included in the next payout if your balance is at least $50.00.',
  )
  expect(describeEarning(RAISED, { ...APPROVED, pausedUntil: '2026-11-20T10:00:00Z' })[1]).toStartWith(
    'Payouts to you are paused until Nov 20, 2026',
  )
  expect(describeEarning(RAISED, { ...APPROVED, needsPayoutDetails: true })).toContain('Add payout details to be paid.')
  const held = reason('partner_not_approved', 'Held while you are suspended.')
  const stopped = {
    state: 'held' as const,
    heldForApproval: true,
    partnerStatus: 'suspended' as const,
    reversedCents: 500,
    reasons: [...reasons, held],
  }
  const suspended = { ...APPROVED, status: 'suspended' } as const
  expect(describeEarning({ ...RAISED, ...stopped, paidCents: 0 }, suspended)).toEqual([
    'Held while you are suspended.',
    '$5.00 was reversed.',
    'Part of the sale was refunded to the customer.',
  ])
})

test('a voided commission shows the reason', () => {
  const text = 'The program voided the commission: “A test order”.'
  const reasons = [reason('commission_voided', text)]
  expect(
    describeEarning(
      { ...RAISED, state: 'reversed', reversedCents: 3_000, voidReason: 'A test order', reasons },
      APPROVED,
    ),
  ).toEqual(['Voided.', text])
})

const SOURCE = join(import.meta.dir, '../src')

/** A property that is read or destructured. */
const PLAIN_SENTENCE = /\.(sentences|story|because)\b|[{,]\s*(sentences|story|because)\s*[,}:]/
const PLAIN_ENTRY = /\.sentence\b|[{,]\s*sentence\s*[,}:]/

test('no screen reads the plain sentences of an explanation, whose words can change: it shows the parts', async () => {
  const paths = [...new Glob('**/*.{ts,tsx}').scanSync(SOURCE)]
  expect(paths).toContain('pages/explain/verdict.tsx')
  const readers = await Promise.all(
    paths.map(async (path) => {
      const text = await Bun.file(join(SOURCE, path)).text()
      const isExplanation = /^pages\/(explain|why)\//.test(path)
      return PLAIN_SENTENCE.test(text) || (isExplanation && PLAIN_ENTRY.test(text)) ? [path] : []
    }),
  )
  expect(readers.flat()).toEqual([])
})
