import { Link } from '@tanstack/react-router'
import type { Breakdown } from '@tributary/contract'
import { clsx } from 'clsx'
import { Tabs as Radix } from 'radix-ui'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { REPORT } from '~/api/live.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import type { PeriodChoice } from '~/components/controls/period-menu.tsx'
import { formatMoney, formatNumber } from '~/components/format/format.ts'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { DIMENSIONS, type Dimension } from './dimensions.ts'
import { METRIC_LABELS, type MetricName, metricValue } from './metrics.ts'

const SHOWN = 7

type Chosen = { period: PeriodChoice; metric: MetricName }
type Props = Chosen & { title: string; dimensions: Dimension[] }

/** Top values by the chosen metric. Rows link to their events in the same period if the event list has a matching filter. */
export const BreakdownCard = ({ title, dimensions, ...chosen }: Props) => {
  const [current, setCurrent] = useState(dimensions[0] ?? 'partner')
  return (
    <Card>
      <Radix.Root value={current} onValueChange={(next) => setCurrent(next as Dimension)}>
        <header className="flex flex-wrap items-center justify-between gap-x-4 border-line border-b px-5">
          <h2 className="py-3 text-section">{title}</h2>
          <Radix.List aria-label={title} className="flex gap-4">
            {dimensions.map((dimension) => (
              <Radix.Trigger
                key={dimension}
                value={dimension}
                className="-mb-px border-transparent border-b-2 py-3 text-soft text-sm hover:text-ink data-[state=active]:border-ink data-[state=active]:text-ink"
              >
                {DIMENSIONS[dimension].label}
              </Radix.Trigger>
            ))}
          </Radix.List>
        </header>
        {dimensions.map((dimension) => (
          <Radix.Content key={dimension} value={dimension} tabIndex={-1}>
            <Rows dimension={dimension} {...chosen} />
          </Radix.Content>
        ))}
      </Radix.Root>
    </Card>
  )
}

/** Amounts are wide, so they leave room for one count only. */
const columnsFor = (metric: MetricName): MetricName[] =>
  metric === 'revenue' || metric === 'commissions' ? ['sales', metric] : ['clicks', 'leads', 'sales']

const Rows = ({ dimension, period, metric }: Chosen & { dimension: Dimension }) => {
  const { program } = useProgram()
  const input = { programId: program.id, query: { by: dimension, ...period, sort: metric, limit: SHOWN } }
  const breakdown = useCall('get /api/tracking/breakdown/{programId}', input, REPORT)
  const columns = columnsFor(metric)
  return (
    <QueryView
      query={breakdown}
      loading={<SkeletonRows rows={SHOWN} />}
      isEmpty={({ rows }) => rows.length === 0}
      empty={<p className="px-5 py-16 text-center text-faint text-sm">No activity in this period.</p>}
    >
      {({ rows, dateFrom, dateTo }) => {
        const most = Math.max(1, ...rows.map((row) => metricValue(row, metric, program.currency)))
        const dates = period.period === 'all' ? {} : { dateFrom, dateTo }
        return (
          <table className={clsx('w-full table-fixed text-sm', breakdown.isPlaceholderData && 'opacity-60')}>
            <caption className="sr-only">
              By {DIMENSIONS[dimension].label.toLowerCase()}, most {METRIC_LABELS[metric].toLowerCase()} first
            </caption>
            <thead>
              <tr className="text-faint text-xs">
                <th scope="col" className="py-2 pl-5 text-left font-medium">
                  {DIMENSIONS[dimension].label}
                </th>
                {columns.map((column) => (
                  <th
                    key={column}
                    scope="col"
                    className={clsx(WIDTHS[column], 'py-2 text-right font-medium last:pr-5')}
                  >
                    {METRIC_LABELS[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="[&>tr:last-child>*]:pb-3">
              {rows.map((row) => (
                <BreakdownRow
                  key={row.value ?? ''}
                  dimension={dimension}
                  row={row}
                  most={most}
                  metric={metric}
                  columns={columns}
                  dates={dates}
                />
              ))}
            </tbody>
          </table>
        )
      }}
    </QueryView>
  )
}

const WIDTHS: Record<MetricName, string> = {
  clicks: 'w-14',
  leads: 'w-14',
  sales: 'w-14 last:w-17',
  revenue: 'w-36',
  commissions: 'w-36',
}

type RowProps = {
  dimension: Dimension
  row: Breakdown['rows'][number]
  most: number
  metric: MetricName
  columns: MetricName[]
  /** The period, for the link to the events. */
  dates: { dateFrom?: string; dateTo?: string }
}

const BreakdownRow = ({ dimension, row, most, metric, columns, dates }: RowProps) => {
  const { program, may } = useProgram()
  const { name, filter } = DIMENSIONS[dimension]
  const filters = row.value !== null && may('tracking:list') ? filter?.(row.value) : undefined
  const figureOf = (column: MetricName) => metricValue(row, column, program.currency)
  const isMoney = (column: MetricName) => column === 'revenue' || column === 'commissions'
  return (
    <tr className="tabular-nums">
      <th scope="row" className="py-0.5 pl-3 text-left font-normal">
        <span className="relative flex h-8 items-center px-2">
          <span
            aria-hidden
            className="absolute inset-y-0 left-0 rounded-md bg-hover"
            style={{ width: `${Math.max(1.5, (figureOf(metric) / most) * 100)}%` }}
          />
          {filters ? (
            <Link
              to="/programs/$programId/sales/events"
              params={{ programId: String(program.id) }}
              search={{ ...filters, ...dates }}
              className="relative truncate rounded hover:underline"
            >
              {name(row)}
            </Link>
          ) : (
            <span className="relative truncate">{name(row)}</span>
          )}
        </span>
      </th>
      {columns.map((column) => (
        <td key={column} className={clsx('text-right last:pr-5', column !== metric && 'text-soft')}>
          {isMoney(column) ? formatMoney(figureOf(column), program.currency) : formatNumber(figureOf(column))}
        </td>
      ))}
    </tr>
  )
}
