import type { Performance } from '@tributary/contract'
import { usePerformance } from '~/api/tracking.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { PeriodPicker, type PeriodSearch, periodOf } from '~/components/controls/period-picker.tsx'
import { formatClock, zoneName } from '~/components/format/time-zone.ts'
import { Page } from '~/components/page.tsx'
import { QueryView } from '~/components/states.tsx'
import { NoRewardNotice } from '../settings/rewards/no-reward-notice.tsx'
import { BreakdownCard } from './breakdown-card.tsx'
import { LatestEvents } from './latest-events.tsx'
import { type MetricName, metricsOf } from './metrics.ts'
import { NothingYet, OverviewSkeleton } from './nothing-yet.tsx'
import { Numbers } from './numbers.tsx'

type OverviewSearch = ListSearch & PeriodSearch & { metric?: string | undefined }

const isNothing = ({ totals: { clicks, leads, sales } }: Performance) => clicks + leads + sales === 0

export const Overview = () => {
  const { program } = useProgram()
  const { search, setFilter } = useListSearch<OverviewSearch>()
  const period = periodOf(search)
  const performance = usePerformance(program.id, period)
  const isQuiet = performance.data !== undefined && isNothing(performance.data)
  // A program without a single click is told the next step, whatever the period; one with a quiet week sees its chart.
  const ever = usePerformance(program.id, { period: 'all' }, { enabled: isQuiet })
  return (
    <Page
      title="Overview"
      description={`Times are in ${zoneName(program.timezone)}.`}
      actions={
        <>
          {performance.data && <AsOf asOf={performance.data.asOf} />}
          <PeriodPicker search={search} onChange={setFilter} />
        </>
      }
    >
      <NoRewardNotice />
      <QueryView
        query={performance}
        loading={<OverviewSkeleton />}
        isEmpty={() => isQuiet && ever.data !== undefined && isNothing(ever.data)}
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
                <BreakdownCard title="Top partners" dimensions={['partner', 'link']} period={period} />
                <BreakdownCard title="Traffic sources" dimensions={['referrer', 'landing']} period={period} />
                <BreakdownCard title="Audience" dimensions={['country', 'device', 'browser', 'os']} period={period} />
                <LatestEvents />
              </div>
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}

/** Numbers that take long to add up may be some minutes old. */
const AsOf = ({ asOf }: { asOf: string }) => (
  <p className="text-soft text-sm">
    As of <time dateTime={asOf}>{formatClock(asOf)}</time>
  </p>
)
