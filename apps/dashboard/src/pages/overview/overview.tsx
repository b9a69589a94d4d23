import { usePerformance } from '~/api/tracking.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Page } from '~/components/page.tsx'
import { Segmented } from '~/components/segmented.tsx'
import { QueryView } from '~/components/states.tsx'
import { LatestEvents } from './latest-events.tsx'
import { type MetricName, metricsOf } from './metrics.ts'
import { NothingYet, OverviewSkeleton } from './nothing-yet.tsx'
import { Numbers } from './numbers.tsx'
import { PERIOD_OPTIONS, periodOf } from './periods.ts'
import { TopLinks } from './top-links.tsx'

type OverviewSearch = ListSearch & { period?: string | undefined; metric?: string | undefined }

export const Overview = () => {
  const { program } = useProgram()
  const { search, setFilter } = useListSearch<OverviewSearch>()
  const period = periodOf(search.period)
  const performance = usePerformance(program.id, period)
  return (
    <Page
      title="Overview"
      description={`Days are those of ${program.timezone.replaceAll('_', ' ')}.`}
      actions={
        <Segmented
          label="Period"
          value={period}
          options={PERIOD_OPTIONS}
          onChange={(next) => setFilter({ period: next === '30d' ? undefined : next })}
        />
      }
    >
      <QueryView
        query={performance}
        loading={<OverviewSkeleton />}
        isEmpty={({ totals }) => period === 'all' && totals.clicks + totals.leads + totals.sales === 0}
        empty={<NothingYet />}
      >
        {(data) => {
          const metrics = metricsOf(data, program.currency)
          const current = metrics.find(({ name }) => name === search.metric)?.name ?? 'clicks'
          return (
            <>
              <Numbers
                metrics={metrics}
                current={current}
                onChange={(metric: MetricName) => setFilter({ metric: metric === 'clicks' ? undefined : metric })}
                stale={performance.isPlaceholderData}
              />
              <div className="grid gap-5 lg:grid-cols-2">
                <TopLinks />
                <LatestEvents />
              </div>
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
