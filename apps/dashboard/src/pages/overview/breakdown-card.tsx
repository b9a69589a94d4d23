import { Link } from '@tanstack/react-router'
import type { Breakdown } from '@tributary/contract'
import { clsx } from 'clsx'
import { Tabs as Radix } from 'radix-ui'
import { useState } from 'react'
import { type PeriodChoice, useBreakdown } from '~/api/tracking.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { formatNumber } from '~/components/format/format.ts'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { DIMENSIONS, type Dimension } from './dimensions.ts'

const SHOWN = 7

type Props = { title: string; dimensions: Dimension[]; period: PeriodChoice }

/** Top values by clicks. Rows link to their events if the event list has a matching filter. */
export const BreakdownCard = ({ title, dimensions, period }: Props) => {
  const [current, setCurrent] = useState(dimensions[0] ?? 'partner')
  return (
    <Card>
      <Radix.Root value={current} onValueChange={(next) => setCurrent(next as Dimension)}>
        <header className="flex flex-wrap items-center justify-between gap-x-4 border-line border-b px-5">
          <h2 className="py-3 font-semibold text-base">{title}</h2>
          <Radix.List aria-label={title} className="flex gap-4">
            {dimensions.map((dimension) => (
              <Radix.Trigger
                key={dimension}
                value={dimension}
                className="-mb-px border-transparent border-b-2 py-3 text-soft text-sm hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
              >
                {DIMENSIONS[dimension].label}
              </Radix.Trigger>
            ))}
          </Radix.List>
        </header>
        {dimensions.map((dimension) => (
          <Radix.Content key={dimension} value={dimension} tabIndex={-1}>
            <Rows dimension={dimension} period={period} />
          </Radix.Content>
        ))}
      </Radix.Root>
    </Card>
  )
}

const Rows = ({ dimension, period }: { dimension: Dimension; period: PeriodChoice }) => {
  const { program } = useProgram()
  const breakdown = useBreakdown(program.id, dimension, period, SHOWN)
  return (
    <QueryView
      query={breakdown}
      loading={<SkeletonRows rows={SHOWN} />}
      isEmpty={({ rows }) => rows.length === 0}
      empty={<p className="px-5 py-16 text-center text-faint text-sm">No activity in this period.</p>}
    >
      {({ rows }) => {
        const most = Math.max(1, ...rows.map(({ clicks }) => clicks))
        return (
          <table className={clsx('w-full table-fixed text-sm', breakdown.isPlaceholderData && 'opacity-60')}>
            <caption className="sr-only">By {DIMENSIONS[dimension].label.toLowerCase()}</caption>
            <thead>
              <tr className="text-faint text-xs">
                <th scope="col" className="py-2 pl-5 text-left font-medium">
                  {DIMENSIONS[dimension].label}
                </th>
                <Heading>Clicks</Heading>
                <Heading>Leads</Heading>
                <th scope="col" className="w-17 py-2 pr-5 text-right font-medium">
                  Sales
                </th>
              </tr>
            </thead>
            <tbody className="[&>tr:last-child>*]:pb-3">
              {rows.map((row) => (
                <BreakdownRow key={row.value ?? ''} dimension={dimension} row={row} most={most} />
              ))}
            </tbody>
          </table>
        )
      }}
    </QueryView>
  )
}

const Heading = ({ children }: { children: string }) => (
  <th scope="col" className="w-14 py-2 text-right font-medium">
    {children}
  </th>
)

type RowProps = { dimension: Dimension; row: Breakdown['rows'][number]; most: number }

const BreakdownRow = ({ dimension, row, most }: RowProps) => {
  const { program, may } = useProgram()
  const { name, filter } = DIMENSIONS[dimension]
  const search = row.value !== null && may('tracking:list') ? filter?.(row.value) : undefined
  return (
    <tr className="tabular-nums">
      <th scope="row" className="py-0.5 pl-3 text-left font-normal">
        <span className="relative flex h-8 items-center px-2">
          <span
            aria-hidden
            className="absolute inset-y-0 left-0 rounded-md bg-accent-soft"
            style={{ width: `${Math.max(1.5, (row.clicks / most) * 100)}%` }}
          />
          {search ? (
            <Link
              to="/programs/$programId/events"
              params={{ programId: String(program.id) }}
              search={search}
              className="relative truncate rounded hover:underline"
            >
              {name(row)}
            </Link>
          ) : (
            <span className="relative truncate">{name(row)}</span>
          )}
        </span>
      </th>
      <td className="text-right">{formatNumber(row.clicks)}</td>
      <td className="text-right text-soft">{formatNumber(row.leads)}</td>
      <td className="pr-5 text-right text-soft">{formatNumber(row.sales)}</td>
    </tr>
  )
}
