import type { Counts, Performance } from '@tributary/contract'
import type { TrendPoint } from '~/components/chart/trend-chart.tsx'
import {
  formatCompact,
  formatMoney,
  formatMoneyCompact,
  formatNumber,
  formatPercent,
} from '~/components/format/format.ts'
import { comparedPeriod, trendLegend, trendPoints } from './points.ts'

const NAMES = ['revenue', 'commissions', 'clicks', 'leads', 'sales'] as const
export type MetricName = (typeof NAMES)[number]

/** Shown unless the reader chooses another. */
export const FIRST_METRIC: MetricName = 'revenue'

export type Metric = {
  name: MetricName
  label: string
  total: string
  /** Puts the total into context; may be empty. */
  note: string
  /** Growth over the previous period as a ratio; null without a previous value. */
  change: number | null
  /** What the change compares with. */
  comparedWith: string
  chart: string
  points: TrendPoint[]
  legend: string
  format: (value: number) => string
  formatAxis: (value: number) => string
}

export const METRIC_LABELS: Record<MetricName, string> = {
  clicks: 'Clicks',
  leads: 'Leads',
  sales: 'Sales',
  revenue: 'Revenue',
  commissions: 'Commissions',
}

/** Currencies can't be added, so tiles and charts use the program's currency. */
export const metricValue = (counts: Counts, name: MetricName, currency: string) => {
  const value = counts[name]
  if (typeof value === 'number') return value
  return value.find((entry) => entry.currency === currency)?.amountCents ?? 0
}

export const buildMetrics = (performance: Performance, currency: string): Metric[] => {
  const { totals, previous, hours } = performance
  const earlier = previous?.toDate ?? previous?.totals
  const valueBefore = (name: MetricName) => (earlier ? metricValue(earlier, name, currency) : 0)
  const comparedWith = comparedPeriod(performance)
  const legend = trendLegend(performance)
  return NAMES.map((name) => {
    const isMoney = name === 'revenue' || name === 'commissions'
    const total = metricValue(totals, name, currency)
    const before = valueBefore(name)
    return {
      name,
      label: METRIC_LABELS[name],
      total: isMoney ? formatMoney(total, currency) : formatNumber(total),
      note: metricNote(totals, name, currency),
      change: before > 0 ? total / before - 1 : null,
      comparedWith,
      chart: `${METRIC_LABELS[name]} by ${hours ? 'hour' : 'day'}`,
      points: trendPoints(performance, (counts) => metricValue(counts, name, currency)),
      legend,
      format: isMoney ? (cents) => formatMoney(cents, currency) : formatNumber,
      formatAxis: isMoney ? (cents) => formatMoneyCompact(cents, currency) : formatCompact,
    }
  })
}

/** Later refunds don't change the totals of earlier days. */
export const GROSS = 'before refunds'

/** Refunds, lost disputes, rejected reviews and voids reverse commissions. */
export const BEFORE_REVERSALS = 'before reversals'

/** Empty above 100%, which lead commissions can reach. */
const share = (part: number, whole: number, of: string) =>
  whole > 0 && part <= whole ? `${formatPercent(part / whole)} of ${of}` : ''

export const ON_LINKS = 'on referral links'

/** Null where it would leave out other currencies or round to nothing. */
const revenuePerClick = ({ clicks, revenue }: Counts, currency: string) => {
  const cents = clicks > 0 && revenue.length === 1 ? Math.round((revenue[0]?.amountCents ?? 0) / clicks) : 0
  return cents > 0 && revenue[0]?.currency === currency ? `${formatMoney(cents, currency)} revenue per click` : null
}

const metricNote = (totals: Counts, name: MetricName, currency: string) => {
  if (name === 'clicks') return revenuePerClick(totals, currency) ?? ON_LINKS
  if (name === 'leads') return share(totals.leads, totals.clicks, 'clicks')
  if (name === 'sales') return 'credited to partners'
  const gross = name === 'commissions' ? BEFORE_REVERSALS : GROSS
  const others = totals[name].filter((entry) => entry.currency !== currency)
  if (others.length > 0)
    return `and ${others.map((entry) => formatMoney(entry.amountCents, entry.currency)).join(', ')}, ${gross}`
  const revenue = metricValue(totals, 'revenue', currency)
  if (name === 'commissions') {
    const commissions = metricValue(totals, 'commissions', currency)
    // Sales in other currencies would be missing from the percentage.
    if (totals.revenue.some((entry) => entry.currency !== currency)) return gross
    // Lead commissions can exist without revenue.
    return share(commissions, revenue, `revenue, ${gross}`) || (commissions > 0 ? gross : '')
  }
  return totals.sales > 0
    ? `${formatMoney(Math.round(revenue / totals.sales), currency)} per sale, ${gross}`
    : 'credited to partners'
}
