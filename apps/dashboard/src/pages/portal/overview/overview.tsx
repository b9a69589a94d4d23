import { useCall } from '~/api/call.ts'
import { LIVE_LIST } from '~/api/live.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { PeriodPicker, type PeriodSearch, periodQuery } from '~/components/controls/period-picker.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { zoneName } from '~/components/format/time-zone.ts'
import { Page } from '~/components/page.tsx'
import { QueryView } from '~/components/states.tsx'
import type { MetricName } from '~/pages/overview/metrics.ts'
import { Numbers } from '~/pages/overview/numbers.tsx'
import { isInactive, usePartnership } from '../portal-context.ts'
import { TermsCard } from '../terms-card.tsx'
import { AccessNotice } from './access-notice.tsx'
import { Balances } from './balances.tsx'
import { LatestEarnings } from './latest-earnings.tsx'
import { MainLink } from './main-link.tsx'
import { OverviewSkeleton } from './overview-skeleton.tsx'
import { PayoutPrompt } from './payout-prompt.tsx'
import { portalMetrics } from './portal-metrics.ts'

type OverviewSearch = ListSearch & PeriodSearch & { metric?: string | undefined; compare?: string | undefined }

export const PortalOverview = () => {
  const partnership = usePartnership()
  const { programId, name, currency, timezone, reward, accessChanges } = partnership
  const { search, setFilter } = useListSearch<OverviewSearch>()
  const isCompared = search.compare === 'previous'
  const query = { ...periodQuery(search), ...(isCompared && { compare: 'previous' }) }
  const overview = useCall('get /api/portal/programs/{programId}/overview', { programId, query }, LIVE_LIST)
  return (
    <Page title={`Hello, ${name}`} tabTitle="Overview" description={`Times are in ${zoneName(timezone)}.`}>
      <AccessNotice changes={accessChanges} />
      <QueryView query={overview} loading={<OverviewSkeleton />}>
        {({ performance, balances }) => {
          const metrics = portalMetrics(performance, currency)
          return (
            <>
              <PayoutPrompt balances={balances} />
              <Balances balances={balances} currency={currency} />
              <MainLink />
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <h2 className="font-semibold text-base">Performance</h2>
                <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
                  {performance.previous && (
                    <Switch
                      label="Show previous period"
                      checked={isCompared}
                      onChange={(checked) => setFilter({ compare: checked ? 'previous' : undefined })}
                    />
                  )}
                  <PeriodPicker search={search} onChange={setFilter} hasToday />
                </div>
              </div>
              <Numbers
                metrics={metrics}
                current={metrics.find((metric) => metric.name === search.metric)?.name ?? 'clicks'}
                onChange={(metric: MetricName) => setFilter({ metric: metric === 'clicks' ? undefined : metric })}
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
