import type { Performance } from '@tributary/contract'
import { GROSS, type Metric, metricsOf } from '~/pages/overview/metrics.ts'

/** The merchant's numbers without the turnover: what a partner asks for is what they earned themselves. */
export const portalMetrics = (performance: Performance, currency: string): Metric[] =>
  metricsOf(performance, currency)
    .filter(({ name }) => name !== 'revenue')
    .map((metric) => (metric.name === 'commissions' ? earned(metric, performance, currency) : metric))

const earned = (metric: Metric, { totals }: Performance, currency: string): Metric => {
  const isMixed = totals.commissions.some((amount) => amount.currency !== currency)
  return { ...metric, label: 'Earned', note: isMixed ? metric.note : GROSS }
}
