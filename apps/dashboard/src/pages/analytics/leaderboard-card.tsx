import { Link } from '@tanstack/react-router'
import type { Breakdown } from '@tributary/contract'
import { toDecimal } from '@tributary/contract/currencies'
import { type PeriodChoice, useBreakdown } from '~/api/tracking.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { formatMoney, formatNumber } from '~/components/format/format.ts'
import { Scrollable } from '~/components/scrollable.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { metricValue } from '../overview/metrics.ts'
import { CELL, HEAD, Nothing, TableCard } from './table-card.tsx'

const SHOWN = 25

type Row = Breakdown['rows'][number]

/** Partners by revenue. */
export const LeaderboardCard = ({ period }: { period: PeriodChoice }) => {
  const { program } = useProgram()
  const { currency } = program
  const breakdown = useBreakdown(program.id, { by: 'partner', ...period, sort: 'revenue', limit: SHOWN })
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
            columns: ['rank', 'partner_id', 'partner', 'clicks', 'leads', 'sales', 'currency', 'revenue'],
            rows: rows.map((row, index) => [
              index + 1,
              row.value,
              row.label,
              row.clicks,
              row.leads,
              row.sales,
              currency,
              toDecimal(revenueOf(row), currency),
            ]),
          }}
        >
          {rows.length === 0 ? <Nothing>No activity in this period.</Nothing> : <Rows rows={rows} />}
        </TableCard>
      )}
    </QueryView>
  )
}

const COLUMNS = ['Clicks', 'Leads', 'Sales', 'Revenue', 'Per click']

const Rows = ({ rows }: { rows: Row[] }) => {
  const { currency } = useProgram().program
  const revenueOf = (row: Row) => metricValue(row, 'revenue', currency)
  const perClick = (row: Row) => (row.clicks > 0 ? formatMoney(Math.round(revenueOf(row) / row.clicks), currency) : '–')
  return (
    <Scrollable label="Leaderboard" className="mt-2 mb-3 overflow-x-auto">
      <table className="w-full min-w-xl text-sm">
        <caption className="sr-only">Partners, highest revenue first</caption>
        <thead>
          <tr className="text-faint text-xs">
            <th scope="col" className={HEAD}>
              Partner
            </th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={HEAD}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.value}>
              <th scope="row" className="max-w-56 py-1.5 pl-5 text-left font-normal">
                <PartnerName row={row} rank={index + 1} />
              </th>
              <td className={CELL}>{formatNumber(row.clicks)}</td>
              <td className={CELL}>{formatNumber(row.leads)}</td>
              <td className={CELL}>{formatNumber(row.sales)}</td>
              <td className={CELL}>{formatMoney(revenueOf(row), currency)}</td>
              <td className={CELL}>{perClick(row)}</td>
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
