import type { Analytics } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { REPORT } from '~/api/live.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import type { PeriodChoice } from '~/components/controls/period-menu.tsx'
import { formatNumber, formatPercent } from '~/components/format/format.ts'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { CELL, HEAD, Nothing, ShareBar, TableCard } from './table-card.tsx'

type Props = { funnel: Analytics['funnel']; dates: string; stale: boolean }

/** From clicks to first sales. Renewals are no step: a customer may have many. */
const FunnelTable = ({ funnel: { clicks, leads, customers }, dates, stale }: Props) => {
  const steps = [
    { name: 'Clicks', count: clicks, before: null },
    { name: 'Leads', count: leads, before: clicks },
    { name: 'First sales', count: customers, before: leads },
  ]
  const most = Math.max(1, ...steps.map(({ count }) => count))
  const rateOf = (count: number, before: number | null) => (before && count <= before ? count / before : null)
  return (
    <TableCard
      title="Funnel"
      description="Clicks, leads and first sales in this period."
      stale={stale}
      file={{
        name: `funnel-${dates}`,
        columns: ['step', 'count', 'share_of_previous_step'],
        rows:
          clicks + leads + customers > 0
            ? steps.map(({ name, count, before }) => [name, count, rateOf(count, before)?.toFixed(4)])
            : [],
      }}
    >
      {clicks + leads + customers === 0 ? (
        <Nothing>No activity in this period.</Nothing>
      ) : (
        <table className="mt-2 mb-3 w-full table-fixed text-sm">
          <caption className="sr-only">Funnel from clicks to first sales</caption>
          <thead>
            <tr className="text-faint text-xs">
              <th scope="col" className={HEAD}>
                Step
              </th>
              <th scope="col" className={`${HEAD} w-20`}>
                Count
              </th>
              <th scope="col" className={`${HEAD} w-36`}>
                % of previous step
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ name, count, before }) => {
              const rate = rateOf(count, before)
              return (
                <tr key={name}>
                  <th scope="row" className="py-1 pl-3 text-left font-normal">
                    <span className="relative flex h-9 items-center px-2">
                      <ShareBar share={count / most} />
                      <span className="relative">{name}</span>
                    </span>
                  </th>
                  <td className={CELL}>{formatNumber(count)}</td>
                  <td className={`${CELL} text-soft`}>{rate === null ? '–' : formatPercent(rate)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </TableCard>
  )
}

/** The funnel of a period, the same wherever it is shown. Screens that read the same analytics share the request. */
export const FunnelCard = ({ period }: { period: PeriodChoice }) => {
  const { program } = useProgram()
  const input = { programId: program.id, query: period }
  const analytics = useCall('get /api/programs/{programId}/analytics', input, REPORT)
  return (
    <QueryView
      query={analytics}
      loading={
        <Card>
          <SkeletonRows rows={4} />
        </Card>
      }
    >
      {({ funnel, dateFrom, dateTo }) => (
        <FunnelTable funnel={funnel} dates={`${dateFrom}-to-${dateTo}`} stale={analytics.isPlaceholderData} />
      )}
    </QueryView>
  )
}
