import { useCall } from '~/api/call.ts'
import { REPORT } from '~/api/live.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { PeriodMenu, type PeriodSearch, periodQuery } from '~/components/controls/period-menu.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { buildMetrics, FIRST_METRIC, type Metric, type MetricName } from '~/pages/overview/metrics.ts'
import { Numbers } from '~/pages/overview/numbers.tsx'
import { comparedPeriod } from '~/pages/overview/points.ts'

type PartnerSearch = ListSearch & PeriodSearch & { metric?: string | undefined }

/** The overview's metrics for one partner. */
export const PartnerNumbers = ({ partnerId }: { partnerId: number }) => {
  const { program } = useProgram()
  const { search, setFilter } = useListSearch<PartnerSearch>()
  const input = { programId: program.id, query: { ...periodQuery(search), partnerId } }
  const performance = useCall('get /api/tracking/performance/{programId}', input, REPORT)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-section">Performance</h2>
        <PeriodMenu
          search={search}
          onChange={setFilter}
          timeZone={program.timezone}
          report={performance.data}
          comparedWith={performance.data && comparedPeriod(performance.data)}
        />
      </div>
      <QueryView query={performance} loading={<MetricsSkeleton />}>
        {(data) => {
          const metrics = buildMetrics(data, program.currency).map(aboutOnePartner)
          return (
            <Numbers
              metrics={metrics}
              current={metrics.find(({ name }) => name === search.metric)?.name ?? FIRST_METRIC}
              onChange={(metric: MetricName) => setFilter({ metric: metric === FIRST_METRIC ? undefined : metric })}
              stale={performance.isPlaceholderData}
            />
          )
        }}
      </QueryView>
    </div>
  )
}

const aboutOnePartner = (metric: Metric): Metric => ({
  ...metric,
  note: metric.note.replace('credited to partners', 'credited to this partner'),
})

const MetricsSkeleton = () => (
  <Loading>
    <Skeleton className="h-[23rem] w-full rounded-xl" />
  </Loading>
)
