import { useCall } from '~/api/call.ts'
import { REPORT } from '~/api/live.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { PeriodMenu, type PeriodSearch, periodQuery } from '~/components/controls/period-menu.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { CohortsCard } from './cohorts-card.tsx'
import { CustomersCard } from './customers-card.tsx'
import { FunnelCard } from './funnel-card.tsx'
import { LeaderboardCard } from './leaderboard-card.tsx'
import { TimesCard } from './times-card.tsx'

export const Analytics = () => {
  const { program } = useProgram()
  const { search, setFilter } = useListSearch<ListSearch & PeriodSearch>()
  const period = periodQuery(search)
  const input = { programId: program.id, query: period }
  const analytics = useCall('get /api/programs/{programId}/analytics', input, REPORT)
  return (
    <Page
      title="Analytics"
      actions={<PeriodMenu search={search} onChange={setFilter} timeZone={program.timezone} report={analytics.data} />}
    >
      <QueryView query={analytics} loading={<AnalyticsSkeleton />}>
        {(data) => {
          const shown = {
            analytics: data,
            dates: `${data.dateFrom}-to-${data.dateTo}`,
            stale: analytics.isPlaceholderData,
          }
          return (
            <>
              <div className="grid gap-5 lg:grid-cols-2">
                <FunnelCard period={period} />
                <CustomersCard {...shown} />
              </div>
              <LeaderboardCard period={period} />
              <TimesCard {...shown} />
              <CohortsCard />
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}

const AnalyticsSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <div className="grid gap-5 lg:grid-cols-2">
      <Skeleton className="h-60 w-full rounded-xl" />
      <Skeleton className="h-60 w-full rounded-xl" />
    </div>
    <Skeleton className="h-72 w-full rounded-xl" />
  </Loading>
)
