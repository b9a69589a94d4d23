import { clsx } from 'clsx'
import { Tabs as Radix } from 'radix-ui'
import { Card } from '~/components/card.tsx'
import { TrendChart } from '~/components/chart/trend-chart.tsx'
import type { Metric, MetricName } from './metrics.ts'

type Props = { metrics: Metric[]; current: MetricName; onChange: (metric: MetricName) => void; stale: boolean }

/** The totals, each of them the tab of its own chart. */
export const Numbers = ({ metrics, current, onChange, stale }: Props) => (
  <Card className={clsx('overflow-hidden transition-opacity', stale && 'opacity-60')}>
    <Radix.Root value={current} onValueChange={(next) => onChange(next as MetricName)}>
      <Radix.List aria-label="What the chart shows" className="grid grid-cols-2 border-line border-b lg:grid-cols-4">
        {metrics.map(({ name, label, total, note }) => (
          <Radix.Trigger
            key={name}
            value={name}
            className={clsx(
              'group flex flex-col items-start gap-1 border-line px-4 py-3.5 text-left focus-visible:-outline-offset-2 sm:px-5',
              'odd:border-r lg:border-r lg:last:border-r-0 max-lg:nth-[-n+2]:border-b',
              'hover:bg-hover/50 data-[state=active]:shadow-[inset_0_-2px_0_var(--accent)]',
            )}
          >
            <span className="text-soft text-sm group-data-[state=active]:font-medium group-data-[state=active]:text-ink">
              {label}
            </span>
            <span className="font-semibold text-xl tabular-nums tracking-tight sm:text-2xl">{total}</span>
            <span className="text-faint text-xs">{note}</span>
          </Radix.Trigger>
        ))}
      </Radix.List>
      {metrics.map(({ name, label, points, format, formatAxis, color }) => (
        <Radix.Content key={name} value={name} className="px-3 pt-4 pb-2 sm:px-4">
          <TrendChart label={`${label} by day`} points={points} format={format} formatAxis={formatAxis} color={color} />
        </Radix.Content>
      ))}
    </Radix.Root>
  </Card>
)
