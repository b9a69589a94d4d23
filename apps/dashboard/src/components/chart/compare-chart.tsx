import { lazy, Suspense } from 'react'
import { rethrowLoadError } from '~/api/fetch-screen.ts'
import { ChartSkeleton } from './trend-chart.tsx'

export type ComparedBar = { key: string; name: string; before: number; after: number }
export type CompareProps = {
  /** Describes the chart for screen readers. */
  label: string
  bars: ComparedBar[]
  legend: { before: string; after: string }
  format: (value: number) => string
  /** Shorter than `format`. */
  formatAxis: (value: number) => string
}

const BAR_PX = 44
const AXIS_PX = 36

const Drawing = lazy(() =>
  import('./compare-drawing.tsx').then(({ CompareDrawing }) => ({ default: CompareDrawing })).catch(rethrowLoadError),
)

/** Two bars per name. The height grows with the number of names. */
export const CompareChart = (props: CompareProps) => (
  <figure className="min-w-0">
    <figcaption className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-soft text-xs">
      <span className="sr-only">{props.label}</span>
      <Key className="bg-faint">{props.legend.before}</Key>
      <Key className="bg-series-1">{props.legend.after}</Key>
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
