import { useCall } from '~/api/call.ts'
import { LIVE_LIST } from '~/api/live.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { type CompareSearch, comparedQuery, PeriodMenu } from '~/components/controls/period-menu.tsx'
import { Page } from '~/components/page.tsx'
import { QueryView } from '~/components/states.tsx'
import type { MetricName } from '~/pages/overview/metrics.ts'
import { Numbers } from '~/pages/overview/numbers.tsx'
import { comparedPeriod } from '~/pages/overview/points.ts'
import { isInactive, usePartnership } from '../portal-context.ts'
import { TermsCard } from '../terms-card.tsx'
import { AccessNotice } from './access-notice.tsx'
import { Balances } from './balances.tsx'
import { LatestEarnings } from './latest-earnings.tsx'
import { MainLink } from './main-link.tsx'
import { OverviewSkeleton } from './overview-skeleton.tsx'
import { PayoutPrompt } from './payout-prompt.tsx'
import { portalMetrics } from './portal-metrics.ts'

type OverviewSearch = ListSearch & CompareSearch & { metric?: string | undefined }

export const PortalOverview = () => {
  const partnership = usePartnership()
  const { programId, name, currency, timezone, reward, accessChanges } = partnership
  const { search, setFilter } = useListSearch<OverviewSearch>()
  const overview = useCall(
    'get /api/portal/programs/{programId}/overview',
    { programId, query: comparedQuery(search) },
    LIVE_LIST,
  )
  return (
    <Page title={`Hello, ${name}`} tabTitle="Overview">
      <AccessNotice changes={accessChanges} />
      <QueryView query={overview} loading={<OverviewSkeleton />}>
        {({ performance, balances, nextPayout }) => {
          const metrics = portalMetrics(performance, currency)
          return (
            <>
              <PayoutPrompt balances={balances} />
              <Balances balances={balances} nextPayout={nextPayout} currency={currency} />
              <MainLink />
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <h2 className="text-section">Performance</h2>
                <PeriodMenu
                  search={search}
                  onChange={setFilter}
                  timeZone={timezone}
                  comparedWith={comparedPeriod(performance)}
                  mayCompare={Boolean(performance.previous)}
                />
              </div>
              <Numbers
                metrics={metrics}
                current={metrics.find((metric) => metric.name === search.metric)?.name ?? 'commissions'}
                onChange={(metric: MetricName) => setFilter({ metric: metric === 'commissions' ? undefined : metric })}
                stale={overview.isPlaceholderData}
              />
            </>
          )
        }}
      </QueryView>
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <LatestEarnings />
        <TermsCard reward={reward} tier={isInactive(partnership) ? null : partnership.tier} />
      </div>
    </Page>
  )
}
