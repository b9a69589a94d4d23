import type { Performance } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { REPORT } from '~/api/live.ts'
import { useGroups } from '~/api/partners/groups.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { type CompareSearch, comparedQuery, PeriodMenu, periodQuery } from '~/components/controls/period-menu.tsx'
import { Page } from '~/components/page.tsx'
import { QueryView } from '~/components/states.tsx'
import { FunnelCard } from '../analytics/funnel-card.tsx'
import { NoRewardNotice } from '../settings/rewards/no-reward-notice.tsx'
import { BreakdownCard } from './breakdown-card.tsx'
import { Checklist } from './checklist.tsx'
import { LatestEvents } from './latest-events.tsx'
import { buildMetrics, FIRST_METRIC, type MetricName } from './metrics.ts'
import { NeedsYou } from './needs-you.tsx'
import { NothingYet, OverviewSkeleton } from './nothing-yet.tsx'
import { Numbers } from './numbers.tsx'
import { comparedPeriod } from './points.ts'

type OverviewSearch = ListSearch & CompareSearch & { metric?: string | undefined }

const PERFORMANCE = 'get /api/tracking/performance/{programId}'

const hasNoActivity = ({ totals: { clicks, leads, sales } }: Performance) => clicks + leads + sales === 0

export const Overview = () => {
  const { program } = useProgram()
  const { search, setFilter } = useListSearch<OverviewSearch>()
  const period = periodQuery(search)
  const { data: groups } = useGroups(program.id)
  const performance = useCall(PERFORMANCE, { programId: program.id, query: comparedQuery(search) }, REPORT)
  const isEmptyPeriod = performance.data !== undefined && hasNoActivity(performance.data)
  // Show the empty state only if the program never had activity; a quiet period still shows its chart.
  const always = { programId: program.id, query: { period: 'all' } }
  const ever = useCall(PERFORMANCE, always, { ...REPORT, enabled: isEmptyPeriod })
  return (
    <Page
      title="Overview"
      actions={
        <PeriodMenu
          search={search}
          onChange={setFilter}
          timeZone={program.timezone}
          report={performance.data}
          comparedWith={performance.data && comparedPeriod(performance.data)}
          mayCompare={Boolean(performance.data?.previous)}
        />
      }
    >
      <NeedsYou />
      <Checklist key={program.id} />
      <QueryView
        query={performance}
        loading={<OverviewSkeleton />}
        isEmpty={() => isEmptyPeriod && ever.data !== undefined && hasNoActivity(ever.data)}
        empty={<NothingYet />}
      >
        {(data) => {
          const metrics = buildMetrics(data, program.currency)
          const metric = metrics.find(({ name }) => name === search.metric)?.name ?? FIRST_METRIC
          const chosen = { period, metric }
          return (
            <>
              {/* Before the first event, the checklist is enough. */}
              <NoRewardNotice />
              <Numbers
                metrics={metrics}
                current={metric}
                onChange={(next: MetricName) => setFilter({ metric: next === FIRST_METRIC ? undefined : next })}
                stale={performance.isPlaceholderData}
              />
              <div className="grid gap-5 lg:grid-cols-2">
                <BreakdownCard
                  title="Top partners"
                  dimensions={groups && groups.data.length > 1 ? ['partner', 'group', 'link'] : ['partner', 'link']}
                  {...chosen}
                />
                <BreakdownCard title="Traffic sources" dimensions={['referrer', 'landing']} {...chosen} />
                <FunnelCard period={period} />
                <BreakdownCard title="Audience" dimensions={['country', 'device', 'browser', 'os']} {...chosen} />
                <LatestEvents />
              </div>
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
