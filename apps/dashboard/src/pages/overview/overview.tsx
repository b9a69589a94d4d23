import { usePerformance } from '~/api/tracking.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Page } from '~/components/page.tsx'
import { PeriodPicker, type PeriodSearch, periodOf } from '~/components/period-picker.tsx'
import { QueryView } from '~/components/states.tsx'
import { BreakdownCard } from './breakdown-card.tsx'
import { LatestEvents } from './latest-events.tsx'
import { type MetricName, metricsOf } from './metrics.ts'
import { NothingYet, OverviewSkeleton } from './nothing-yet.tsx'
import { Numbers } from './numbers.tsx'

type OverviewSearch = ListSearch & PeriodSearch & { metric?: string | undefined }

export const Overview = () => {
  const { program } = useProgram()
  const { search, setFilter } = useListSearch<OverviewSearch>()
  const period = periodOf(search)
  const performance = usePerformance(program.id, period)
  return (
    <Page
      title="Overview"
      description={`Days are those of ${program.timezone.replaceAll('_', ' ')}.`}
      actions={<PeriodPicker search={search} onChange={setFilter} />}
    >
      <QueryView
        query={performance}
        loading={<OverviewSkeleton />}
        isEmpty={({ period, totals }) => period === 'all' && totals.clicks + totals.leads + totals.sales === 0}
        empty={<NothingYet />}
      >
        {(data) => {
          const metrics = metricsOf(data, program.currency)
          return (
            <>
              <Numbers
                metrics={metrics}
                current={metrics.find(({ name }) => name === search.metric)?.name ?? 'clicks'}
                onChange={(metric: MetricName) => setFilter({ metric: metric === 'clicks' ? undefined : metric })}
                stale={performance.isPlaceholderData}
              />
              <div className="grid gap-5 lg:grid-cols-2">
                <BreakdownCard title="Who sends them" dimensions={['partner', 'link']} period={period} />
                <BreakdownCard title="Where they come from" dimensions={['referrer', 'landing']} period={period} />
                <BreakdownCard
                  title="Who they are"
                  dimensions={['country', 'device', 'browser', 'os']}
                  period={period}
                />
                <LatestEvents />
              </div>
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
