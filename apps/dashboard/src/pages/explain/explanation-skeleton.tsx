import { Loading, Skeleton } from '~/components/skeleton.tsx'

export const ExplanationSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-36 w-full rounded-xl" />
    <Skeleton className="h-56 w-full rounded-xl" />
    <Skeleton className="h-44 w-full rounded-xl" />
  </Loading>
)
