import type { Performance } from '@tributary/contract'
import type { TrendPoint } from '~/components/chart/trend-chart.tsx'
import { formatCompact, formatMoney, formatMoneyCompact, formatNumber, formatPercent } from '~/components/format.ts'

export type MetricName = 'clicks' | 'leads' | 'sales' | 'revenue'

export type Metric = {
  name: MetricName
  label: string
  total: string
  /** The total again, with what it means. */
  note: string
  points: TrendPoint[]
  format: (value: number) => string
  formatAxis: (value: number) => string
  color: string
}

const share = (part: number, whole: number) => (whole > 0 ? formatPercent(part / whole) : '–')

type Money = Performance['totals']['revenue']

/** Money of several currencies cannot be added; the chart is about the program's own. */
const centsIn = (revenue: Money, currency: string) =>
  revenue.find((entry) => entry.currency === currency)?.amountCents ?? 0

const othersOf = (revenue: Money, currency: string) =>
  revenue
    .filter((entry) => entry.currency !== currency)
    .map((entry) => formatMoney(entry.amountCents, entry.currency))
    .join(', ')

export const metricsOf = ({ totals, days }: Performance, currency: string): Metric[] => {
  const counted = (name: 'clicks' | 'leads' | 'sales') => ({
    name,
    total: formatNumber(totals[name]),
    points: days.map((day) => ({ day: day.date, value: day[name] })),
    format: formatNumber,
    formatAxis: formatCompact,
  })
  const others = othersOf(totals.revenue, currency)
  const revenueCents = centsIn(totals.revenue, currency)
  return [
    { ...counted('clicks'), label: 'Clicks', note: 'on referral links', color: 'var(--accent)' },
    {
      ...counted('leads'),
      label: 'Leads',
      note: `${share(totals.leads, totals.clicks)} of clicks`,
      color: 'var(--series-2)',
    },
    {
      ...counted('sales'),
      label: 'Sales',
      note: `${share(totals.sales, totals.leads)} of leads`,
      color: 'var(--series-3)',
    },
    {
      name: 'revenue',
      label: 'Revenue',
      total: formatMoney(revenueCents, currency),
      note: others
        ? `and ${others}`
        : totals.sales > 0
          ? `${formatMoney(Math.round(revenueCents / totals.sales), currency)} a sale`
          : 'credited to partners',
      points: days.map((day) => ({ day: day.date, value: centsIn(day.revenue, currency) })),
      format: (cents) => formatMoney(cents, currency),
      formatAxis: (cents) => formatMoneyCompact(cents, currency),
      color: 'var(--series-3)',
    },
  ]
}
