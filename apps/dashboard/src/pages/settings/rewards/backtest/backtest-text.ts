import type { BacktestBlock, BacktestPartner } from '@tributary/contract'
import type { ComparedBar } from '~/components/chart/compare-chart.tsx'
import { formatCount, formatMoney, formatPercent } from '~/components/format/format.ts'

export const EARNED = 'Earned'
export const WOULD_HAVE_EARNED = 'Would have earned'

const MAX_BARS = 10

/** "+$12.00", "-$3.00" */
export const formatDifference = (cents: number, currency: string) =>
  `${cents > 0 ? '+' : ''}${formatMoney(cents, currency)}`

/** "+20.0%"; null if partners earned nothing, because there is no base to compare with. */
export const formatChange = ({ actualCents, differenceCents }: BacktestBlock['totals']) =>
  actualCents > 0 && differenceCents !== 0
    ? `${differenceCents > 0 ? '+' : ''}${formatPercent(differenceCents / actualCents)}`
    : null

const barSize = ({ actualCents, proposedCents }: BacktestPartner) => Math.max(actualCents, proposedCents)

/** The top partners, and one bar for all others. */
export const buildBars = (partners: BacktestPartner[]): ComparedBar[] => {
  const bySize = partners.toSorted((a, b) => barSize(b) - barSize(a))
  const shown = bySize.length > MAX_BARS + 1 ? bySize.slice(0, MAX_BARS) : bySize
  const others = bySize.slice(shown.length)
  const bars = shown.map(({ partnerId, partnerName, actualCents, proposedCents }) => ({
    key: String(partnerId),
    name: partnerName,
    before: actualCents,
    after: proposedCents,
  }))
  if (others.length === 0) return bars
  const sum = (of: (partner: BacktestPartner) => number) => others.reduce((total, one) => total + of(one), 0)
  const before = sum(({ actualCents }) => actualCents)
  const after = sum(({ proposedCents }) => proposedCents)
  return [...bars, { key: 'others', name: formatCount(others.length, 'other'), before, after }]
}
