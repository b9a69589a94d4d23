import { clsx } from 'clsx'
import { lazy, Suspense } from 'react'
import { rethrowLoadError } from '~/api/fetch-screen.ts'
import { Loading, Skeleton } from '../skeleton.tsx'

export type TrendPoint = {
  key: string
  /** On the axis; shorter than `name`. */
  tick: string
  name: string
  /** Null if it has not begun. */
  value: number | null
  /** Whether it is not over yet. */
  isRunning: boolean
  /** The same point of the previous period. */
  before?: { name: string; value: number } | undefined
}
export type TrendProps = {
  /** Describes the chart for screen readers. */
  label: string
  points: TrendPoint[]
  /** Explains the dot and the grey line. */
  legend: string
  format: (value: number) => string
  /** Shorter than `format`. */
  formatAxis: (value: number) => string
  color?: string
}

const Drawing = lazy(() =>
  import('./trend-drawing.tsx').then(({ TrendDrawing }) => ({ default: TrendDrawing })).catch(rethrowLoadError),
)

/** Recharts is large, so it loads with the first chart. */
export const TrendChart = ({ className, ...props }: TrendProps & { className?: string }) => (
  <div className={clsx('min-w-0', className ?? 'h-64')}>
    <Suspense fallback={<ChartSkeleton />}>
      <Drawing {...props} />
    </Suspense>
  </div>
)

export const ChartSkeleton = () => (
  <Loading className="h-full">
    <Skeleton className="h-full w-full" />
  </Loading>
)
