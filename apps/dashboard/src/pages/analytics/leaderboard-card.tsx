import { Link } from '@tanstack/react-router'
import type { Breakdown } from '@tributary/contract'
import { toDecimal } from '@tributary/contract/currencies'
import { clsx } from 'clsx'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { REPORT } from '~/api/live.ts'
import { useGroups } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import type { PeriodChoice } from '~/components/controls/period-menu.tsx'
import { formatMoney, formatNumber } from '~/components/format/format.ts'
import { Scrollable } from '~/components/scrollable.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { GroupFilter } from '../groups/group-filter.tsx'
import { metricValue } from '../overview/metrics.ts'
import { CELL, HEAD, Nothing, TableCard } from './table-card.tsx'

const SHOWN = 25

type Row = Breakdown['rows'][number]

/** Partners by revenue. */
export const LeaderboardCard = ({ period }: { period: PeriodChoice }) => {
  const { program } = useProgram()
  const { currency } = program
  const hasGroups = (useGroups(program.id).data?.data ?? []).length > 1
  const [groupId, setGroupId] = useState<string>()
  const query = { by: 'partner', ...period, groupId, sort: 'revenue', limit: SHOWN }
  const breakdown = useCall('get /api/tracking/breakdown/{programId}', { programId: program.id, query }, REPORT)
  const revenueOf = (row: Row) => metricValue(row, 'revenue', currency)
  return (
    <QueryView
      query={breakdown}
      loading={
        <Card>
          <SkeletonRows />
        </Card>
      }
    >
      {({ rows, dateFrom, dateTo }) => (
        <TableCard
          title="Leaderboard"
          description={`The top ${SHOWN} partners by revenue in ${currency}, before refunds.`}
          stale={breakdown.isPlaceholderData}
          file={{
            name: `leaderboard-${dateFrom}-to-${dateTo}`,
            columns: ['rank', 'partner_id', 'partner', 'clicks', 'leads', 'sales', 'currency', 'revenue', 'group'],
            rows: rows.map((row, index) => [
              index + 1,
              row.value,
              row.label,
              row.clicks,
              row.leads,
              row.sales,
              currency,
              toDecimal(revenueOf(row), currency),
              row.groupName ?? null,
            ]),
          }}
        >
          {hasGroups && (
            <div className="px-5 pt-3">
              <GroupFilter value={groupId} onChange={setGroupId} />
            </div>
          )}
          {rows.length === 0 ? (
            <Nothing>No activity in this period.</Nothing>
          ) : (
            <Rows rows={rows} hasGroups={hasGroups} />
          )}
        </TableCard>
      )}
    </QueryView>
  )
}

/** A phone shows sales and revenue only. */
const COLUMNS = [
  { header: 'Clicks', className: 'max-sm:hidden' },
  { header: 'Leads', className: 'max-sm:hidden' },
  { header: 'Sales', className: '' },
  { header: 'Revenue', className: 'pl-3 max-sm:pr-5' },
  { header: 'Revenue per click', className: 'max-sm:hidden' },
]

const Rows = ({ rows, hasGroups }: { rows: Row[]; hasGroups: boolean }) => {
  const { currency } = useProgram().program
  const revenueOf = (row: Row) => metricValue(row, 'revenue', currency)
  const perClick = (row: Row) => (row.clicks > 0 ? formatMoney(Math.round(revenueOf(row) / row.clicks), currency) : '–')
  return (
    <Scrollable label="Leaderboard" className="mt-2 mb-3 overflow-x-auto">
      <table className="w-full text-sm sm:min-w-xl">
        <caption className="sr-only">Partners, highest revenue first</caption>
        <thead>
          <tr className="text-faint text-xs">
            <th scope="col" className={HEAD}>
              Partner
            </th>
            {hasGroups && (
              <th scope="col" className="py-2 text-left font-medium">
                Group
              </th>
            )}
            {COLUMNS.map(({ header, className }) => (
              <th key={header} scope="col" className={clsx(HEAD, className)}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.value}>
              <th scope="row" className="max-w-56 py-1.5 pr-3 pl-5 text-left font-normal max-sm:max-w-0 max-sm:w-full">
                <PartnerName row={row} rank={index + 1} />
              </th>
              {hasGroups && <td className="max-w-40 truncate py-1.5">{row.groupName}</td>}
              {[
                formatNumber(row.clicks),
                formatNumber(row.leads),
                formatNumber(row.sales),
                formatMoney(revenueOf(row), currency),
                perClick(row),
              ].map((text, column) => (
                <td key={COLUMNS[column]?.header} className={clsx(CELL, COLUMNS[column]?.className)}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )
}

const PartnerName = ({ row, rank }: { row: Row; rank: number }) => {
  const { program } = useProgram()
  const name = row.label ?? 'No partner'
  return (
    <span className="flex gap-2">
      <span className="w-5 shrink-0 text-right text-faint tabular-nums">{rank}</span>
      {row.value === null ? (
        <span className="truncate">{name}</span>
      ) : (
        <Link
          to="/programs/$programId/partners/$partnerId"
          params={{ programId: String(program.id), partnerId: row.value }}
          className="truncate rounded hover:underline"
        >
          {name}
        </Link>
      )}
    </span>
  )
}
