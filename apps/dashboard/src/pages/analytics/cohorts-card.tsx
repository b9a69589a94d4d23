import type { Cohorts } from '@tributary/contract'
import { toDecimal } from '@tributary/contract/currencies'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { REPORT } from '~/api/live.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Segmented } from '~/components/controls/segmented.tsx'
import { formatMoney, formatMonth, formatNumber } from '~/components/format/format.ts'
import { Scrollable } from '~/components/scrollable.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { CELL, HEAD, Nothing, TableCard } from './table-card.tsx'

type Cohort = Cohorts['rows'][number] & {
  /** Revenue per customer up to each month. */
  valueCents: number[]
}

const VALUES = [
  { value: 'net', label: 'After refunds' },
  { value: 'gross', label: 'Before refunds' },
] as const
type Value = (typeof VALUES)[number]['value']

/** Cumulative, so that the last value is what a customer has brought so far. */
const perCustomer = ({ customers, revenueCents, refundedCents }: Cohorts['rows'][number], value: Value) => {
  let sum = 0
  return revenueCents.map((cents, index) => {
    sum += cents - (value === 'net' ? (refundedCents[index] ?? 0) : 0)
    return Math.round(sum / Math.max(1, customers))
  })
}

/** The strongest heat still leaves text readable in both themes. */
const MAX_HEAT = 30

const MONTHS = 12

/** Customers by the month of their first sale, and what each has brought since. */
export const CohortsCard = () => {
  const { program } = useProgram()
  const input = { programId: program.id, query: { months: MONTHS } }
  const cohorts = useCall('get /api/programs/{programId}/analytics/cohorts', input, REPORT)
  const [value, setValue] = useState<Value>('net')
  return (
    <QueryView
      query={cohorts}
      loading={
        <Card>
          <SkeletonRows />
        </Card>
      }
    >
      {({ rows, currency, hasOtherCurrencies }) => {
        const shown = rows
          .filter(({ customers }) => customers > 0)
          .map((row) => ({ ...row, valueCents: perCustomer(row, value) }))
        const length = Math.max(0, ...shown.map(({ valueCents }) => valueCents.length))
        return (
          <TableCard
            title="Customer lifetime value"
            description={`Cumulative revenue per customer, ${value === 'net' ? 'after' : 'before'} refunds and lost disputes${hasOtherCurrencies ? `, in ${currency} only` : ''}. Always covers the last 12 months.`}
            file={{
              name: 'customer-lifetime-value',
              columns: COLUMNS,
              rows: shown.flatMap((row) => fileRows(row, currency)),
            }}
          >
            <div className="px-5 pt-3">
              <Segmented label="Revenue" value={value} options={VALUES} onChange={setValue} />
            </div>
            {shown.length === 0 ? (
              <Nothing>Customers appear here in the month of their first sale.</Nothing>
            ) : (
              <CohortTable rows={shown} length={length} currency={currency} />
            )}
          </TableCard>
        )
      }}
    </QueryView>
  )
}

const COLUMNS = [
  ...['first_sale_month', 'customers', 'months_since', 'currency', 'revenue', 'refunded'],
  ...['revenue_per_customer', 'net_revenue_per_customer'],
]

const fileRows = (row: Cohorts['rows'][number], currency: string) => {
  const [gross, net] = [perCustomer(row, 'gross'), perCustomer(row, 'net')]
  return row.revenueCents.map((cents, index) => [
    ...[row.month, row.customers, index, currency],
    ...[cents, row.refundedCents[index], gross[index], net[index]].map((amount) => toDecimal(amount ?? 0, currency)),
  ])
}

const CohortTable = ({ rows, length, currency }: { rows: Cohort[]; length: number; currency: string }) => {
  const most = Math.max(1, ...rows.flatMap(({ valueCents }) => valueCents))
  const heat = (cents: number) => `color-mix(in srgb, var(--series-1) ${(cents / most) * MAX_HEAT}%, transparent)`
  return (
    <Scrollable label="Customer lifetime value" className="mt-2 mb-3 overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="sr-only">Revenue per customer up to each month after the first sale</caption>
        <thead>
          <tr className="text-faint text-xs">
            <th scope="col" className={`${HEAD} whitespace-nowrap`}>
              First sale
            </th>
            <th scope="col" className={`${HEAD} pr-3`}>
              Customers
            </th>
            {Array.from({ length }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: months are numbered
              <th key={index} scope="col" className={`${HEAD} whitespace-nowrap px-2`}>
                {index === 0 ? 'Same month' : `+${index} ${index === 1 ? 'month' : 'months'}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ month, customers, valueCents }) => (
            <tr key={month}>
              <th scope="row" className="whitespace-nowrap py-1.5 pr-3 pl-5 text-left font-normal">
                {formatMonth(month)}
              </th>
              <td className={`${CELL} pr-3`}>{formatNumber(customers)}</td>
              {Array.from({ length }, (_, index) => {
                const cents = valueCents[index]
                return cents === undefined ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: months are numbered
                  <td key={index} />
                ) : (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: months are numbered
                    key={index}
                    className="whitespace-nowrap px-2 py-1.5 text-right tabular-nums last:pr-5"
                    style={{ backgroundColor: heat(cents) }}
                  >
                    {formatMoney(cents, currency)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )
}
