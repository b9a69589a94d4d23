import { clsx } from 'clsx'
import { lazy, Suspense } from 'react'
import { orSayWhy } from '~/api/fetch-screen.ts'
import { Loading, Skeleton } from '../skeleton.tsx'

export type TrendPoint = { day: string; value: number }
export type TrendProps = {
  /** What the chart shows, in words, for whoever cannot see it. */
  label: string
  points: TrendPoint[]
  format: (value: number) => string
  /** A shorter form for the axis. */
  formatAxis: (value: number) => string
  color?: string
}

const Drawing = lazy(() =>
  import('./trend-drawing.tsx').then(({ TrendDrawing }) => ({ default: TrendDrawing })).catch(orSayWhy),
)

/** Recharts is large, so it is fetched when the first chart is shown and never before. */
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
