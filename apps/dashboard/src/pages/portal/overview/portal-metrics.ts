import type { Performance } from '@tributary/contract'
import { BEFORE_REVERSALS, buildMetrics, type Metric, ON_LINKS } from '~/pages/overview/metrics.ts'

/** The merchant's metrics without revenue. */
export const portalMetrics = (performance: Performance, currency: string): Metric[] =>
  buildMetrics(performance, currency)
    .filter(({ name }) => name !== 'revenue')
    .map((metric) => (metric.name === 'commissions' ? toPartnerMetric(metric, performance, currency) : metric))
    .map((metric) => (metric.name === 'clicks' ? { ...metric, note: ON_LINKS } : metric))
    .map((metric) => ({ ...metric, note: metric.note.replace('credited to partners', 'credited to you') }))

const toPartnerMetric = (metric: Metric, { totals }: Performance, currency: string): Metric => {
  const isMixed = totals.commissions.some((amount) => amount.currency !== currency)
  return { ...metric, note: isMixed ? metric.note : BEFORE_REVERSALS }
}
