import { Loading, Skeleton } from '~/components/skeleton.tsx'

export const OverviewSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-24 w-full rounded-xl" />
    <Skeleton className="h-24 w-full rounded-xl" />
    <Skeleton className="h-[23rem] w-full rounded-xl" />
  </Loading>
)
