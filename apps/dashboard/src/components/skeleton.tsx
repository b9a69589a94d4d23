import { clsx } from 'clsx'

export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden className={clsx('block animate-pulse rounded-md bg-hover', className ?? 'h-4 w-full')} />
)

/** Announces loading to screen readers; the skeletons inside are decorative. */
export const Loading = ({ children, className }: { children: React.ReactNode; className?: string }) => (
  <div role="status" className={className}>
    <span className="sr-only">Loading…</span>
    {children}
  </div>
)

export const SkeletonRows = ({ rows = 6 }: { rows?: number }) => (
  <Loading className="divide-y divide-line">
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: shapes have no identity
      <div key={row} className="flex items-center gap-4 px-4 py-3.5">
        <Skeleton className="h-4 w-1/4" />
        <Skeleton className="h-4 w-1/3" />
        <Skeleton className="ml-auto h-4 w-16" />
      </div>
    ))}
  </Loading>
)
