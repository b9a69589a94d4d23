import { clsx } from 'clsx'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { Tabs as Radix } from 'radix-ui'
import { Card } from '~/components/card.tsx'
import { TrendChart } from '~/components/chart/trend-chart.tsx'
import { formatChange } from '~/components/format/format.ts'
import type { Metric, MetricName } from './metrics.ts'

type Props = { metrics: Metric[]; current: MetricName; onChange: (metric: MetricName) => void; stale: boolean }

/** Totals that double as tabs, each with its chart. */
export const Numbers = ({ metrics, current, onChange, stale }: Props) => (
  <Card className={clsx('overflow-hidden transition-opacity', stale && 'opacity-60')}>
    <Radix.Root value={current} onValueChange={(next) => onChange(next as MetricName)}>
      <Radix.List
        aria-label="Metric"
        className={clsx(
          'grid grid-cols-2 gap-px border-line border-b bg-line',
          metrics.length === 4 ? 'lg:grid-cols-4' : 'lg:grid-cols-5',
        )}
      >
        {metrics.map((metric) => (
          <Tile key={metric.name} metric={metric} />
        ))}
      </Radix.List>
      {metrics.map(({ name, chart, points, legend, format, formatAxis }) => (
        <Radix.Content key={name} value={name} className="px-3 pt-4 pb-2 sm:px-4">
          <TrendChart label={chart} points={points} legend={legend} format={format} formatAxis={formatAxis} />
        </Radix.Content>
      ))}
    </Radix.Root>
  </Card>
)

const Tile = ({ metric: { name, label, total, note, change, comparedWith } }: { metric: Metric }) => (
  <Radix.Trigger
    value={name}
    className={clsx(
      'group flex min-w-0 flex-col items-start gap-1 bg-surface px-3 py-3.5 text-left focus-visible:-outline-offset-2 sm:px-5',
      'hover:bg-hover data-[state=active]:shadow-[inset_0_-2px_0_var(--ink)] max-lg:last:odd:col-span-2',
    )}
  >
    <span className="flex w-full flex-wrap items-baseline justify-between gap-x-1 sm:gap-x-2">
      <span className="text-soft text-sm group-data-[state=active]:font-medium group-data-[state=active]:text-ink">
        {label}
      </span>
      {change !== null && <Change change={change} comparedWith={comparedWith} />}
    </span>
    <span className="text-total">{total}</span>
    {note && <span className="text-faint text-xs">{note}</span>}
  </Radix.Trigger>
)

type ChangeProps = { change: number } & Pick<Metric, 'comparedWith'>

const Change = ({ change, comparedWith }: ChangeProps) => {
  const isSame = formatChange(change) === formatChange(0)
  const Icon = change < 0 ? TrendingDown : TrendingUp
  return (
    <span
      title={`Compared with ${comparedWith}`}
      className={clsx(
        'inline-flex flex-wrap items-center gap-x-1 text-xs tabular-nums [&_svg]:size-3.5',
        isSame ? 'text-faint' : change < 0 ? 'text-bad-ink' : 'text-good-ink',
      )}
    >
      {isSame ? (
        <>
          <span aria-hidden>{formatChange(0)}</span>
          <span className="sr-only">No change compared with {comparedWith}</span>
        </>
      ) : (
        <>
          <Icon aria-hidden /> {formatChange(change)}
          <span className="sr-only">
            {change < 0 ? 'less' : 'more'}, compared with {comparedWith}
          </span>
        </>
      )}
    </span>
  )
}
