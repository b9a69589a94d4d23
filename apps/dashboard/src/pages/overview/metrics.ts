import type { Counts, Performance } from '@tributary/contract'
import type { TrendPoint } from '~/components/chart/trend-chart.tsx'
import {
  formatCompact,
  formatMoney,
  formatMoneyCompact,
  formatNumber,
  formatPercent,
} from '~/components/format/format.ts'

const NAMES = ['clicks', 'leads', 'sales', 'revenue', 'commissions'] as const
export type MetricName = (typeof NAMES)[number]

export type Metric = {
  name: MetricName
  label: string
  total: string
  /** What the total means beside another; empty where there is nothing to say. */
  note: string
  /** Growth since the period before, as a ratio; null where there is nothing to compare with. */
  change: number | null
  points: TrendPoint[]
  format: (value: number) => string
  formatAxis: (value: number) => string
}

const LABELS: Record<MetricName, string> = {
  clicks: 'Clicks',
  leads: 'Leads',
  sales: 'Sales',
  revenue: 'Revenue',
  commissions: 'Commissions',
}

/** Money of several currencies cannot be added; tiles and charts are about the program's own. */
const amountOf = (counts: Counts, name: MetricName, currency: string) => {
  const value = counts[name]
  if (typeof value === 'number') return value
  return value.find((entry) => entry.currency === currency)?.amountCents ?? 0
}

export const metricsOf = ({ totals, previous, days }: Performance, currency: string): Metric[] =>
  NAMES.map((name) => {
    const isMoney = name === 'revenue' || name === 'commissions'
    const total = amountOf(totals, name, currency)
    const before = previous ? amountOf(previous.totals, name, currency) : 0
    return {
      name,
      label: LABELS[name],
      total: isMoney ? formatMoney(total, currency) : formatNumber(total),
      note: noteOf(totals, name, currency),
      change: before > 0 ? total / before - 1 : null,
      points: days.map((day) => ({ day: day.date, value: amountOf(day, name, currency) })),
      format: isMoney ? (cents) => formatMoney(cents, currency) : formatNumber,
      formatAxis: isMoney ? (cents) => formatMoneyCompact(cents, currency) : formatCompact,
    }
  })

/** Days are told as they were: what is refunded later takes nothing from them. */
export const GROSS = 'before refunds'

const share = (part: number, whole: number, of: string) => (whole > 0 ? `${formatPercent(part / whole)} of ${of}` : '')

const noteOf = (totals: Counts, name: MetricName, currency: string) => {
  if (name === 'clicks') return 'on referral links'
  if (name === 'leads') return share(totals.leads, totals.clicks, 'clicks')
  if (name === 'sales') return share(totals.sales, totals.leads, 'leads')
  const others = totals[name].filter((entry) => entry.currency !== currency)
  if (others.length > 0)
    return `and ${others.map((entry) => formatMoney(entry.amountCents, entry.currency)).join(', ')}, ${GROSS}`
  const revenue = amountOf(totals, 'revenue', currency)
  if (name === 'commissions') {
    const commissions = amountOf(totals, 'commissions', currency)
    // A share of revenue in one currency would leave out the rest.
    if (totals.revenue.some((entry) => entry.currency !== currency)) return GROSS
    // Leads are paid for without any revenue.
    return share(commissions, revenue, `revenue, both ${GROSS}`) || (commissions > 0 ? GROSS : '')
  }
  return totals.sales > 0
    ? `${formatMoney(Math.round(revenue / totals.sales), currency)} a sale, ${GROSS}`
    : 'credited to partners'
}
