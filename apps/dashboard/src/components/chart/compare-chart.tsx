import { lazy, Suspense } from 'react'
import { orSayWhy } from '~/api/fetch-screen.ts'
import { ChartSkeleton } from './trend-chart.tsx'

export type ComparedBar = { key: string; name: string; before: number; after: number }
export type CompareProps = {
  /** What the chart shows, in words, for whoever cannot see it. */
  label: string
  bars: ComparedBar[]
  /** What the two bars of each name are. */
  legend: { before: string; after: string }
  format: (value: number) => string
  /** A shorter form for the axis. */
  formatAxis: (value: number) => string
}

const BAR_PX = 44
const AXIS_PX = 36

const Drawing = lazy(() =>
  import('./compare-drawing.tsx').then(({ CompareDrawing }) => ({ default: CompareDrawing })).catch(orSayWhy),
)

/** Two bars for every name, one below the other. As tall as it has names. */
export const CompareChart = (props: CompareProps) => (
  <figure className="min-w-0">
    <figcaption className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-soft text-xs">
      <span className="sr-only">{props.label}</span>
      <Key className="bg-faint">{props.legend.before}</Key>
      <Key className="bg-accent">{props.legend.after}</Key>
    </figcaption>
    <div aria-hidden style={{ height: props.bars.length * BAR_PX + AXIS_PX }}>
      <Suspense fallback={<ChartSkeleton />}>
        <Drawing {...props} />
      </Suspense>
    </div>
  </figure>
)

const Key = ({ className, children }: { className: string; children: string }) => (
  <span aria-hidden className="inline-flex items-center gap-1.5">
    <span className={`size-2.5 rounded-xs ${className}`} />
    {children}
  </span>
)
