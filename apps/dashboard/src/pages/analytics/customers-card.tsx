import type { Analytics } from '@tributary/contract'
import { toDecimal } from '@tributary/contract/currencies'
import { useProgram } from '~/app/program-context.ts'
import { formatMoney, formatNumber, formatPercent } from '~/components/format/format.ts'
import { CELL, HEAD, Nothing, ShareBar, TableCard } from './table-card.tsx'

type Part = Analytics['sales']['first']
const centsIn = ({ revenue }: Part, currency: string) =>
  revenue.find((amount) => amount.currency === currency)?.amountCents ?? 0

type Props = { analytics: Analytics; dates: string; stale: boolean }

/** Sales to new customers against those to returning ones. */
export const CustomersCard = ({ analytics: { sales, days }, dates, stale }: Props) => {
  const { currency } = useProgram().program
  const centsOf = (part: Part) => centsIn(part, currency)
  const total = sales.first.sales + sales.renewals.sales
  const hasOthers = [sales.first, sales.renewals].some(({ revenue }) =>
    revenue.some((amount) => amount.currency !== currency),
  )
  const columns = ['date', 'first_sales', 'renewals', 'currency', 'first_revenue', 'renewal_revenue']
  return (
    <TableCard
      title="New and returning customers"
      description={`Revenue is before refunds${hasOthers ? `, in ${currency} only` : ''}.`}
      stale={stale}
      file={{
        name: `first-sales-and-renewals-${dates}`,
        columns,
        rows:
          total > 0
            ? days.map(({ date, first, renewals }) => [
                date,
                first.sales,
                renewals.sales,
                currency,
                toDecimal(centsOf(first), currency),
                toDecimal(centsOf(renewals), currency),
              ])
            : [],
      }}
    >
      {total === 0 ? <Nothing>No sales in this period.</Nothing> : <CustomerTable sales={sales} />}
    </TableCard>
  )
}

const CustomerTable = ({ sales }: Pick<Analytics, 'sales'>) => {
  const { currency } = useProgram().program
  const centsOf = (part: Part) => centsIn(part, currency)
  const revenue = centsOf(sales.first) + centsOf(sales.renewals)
  const rows = [
    { name: 'New customers', what: 'First sales', part: sales.first },
    { name: 'Returning customers', what: 'Renewals and repeat sales', part: sales.renewals },
  ]
  return (
    <table className="mt-2 mb-3 w-full table-fixed text-sm">
      <caption className="sr-only">Sales to new and returning customers</caption>
      <thead>
        <tr className="text-faint text-xs">
          <th scope="col" className={HEAD}>
            Customers
          </th>
          <th scope="col" className={`${HEAD} w-14`}>
            Sales
          </th>
          <th scope="col" className={`${HEAD} w-32`}>
            Revenue
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, what, part }) => (
          <tr key={name}>
            <th scope="row" className="py-1 pl-3 text-left font-normal">
              <span className="relative flex min-h-12 flex-col justify-center px-2 py-1">
                <ShareBar share={revenue > 0 ? centsOf(part) / revenue : 0} />
                <span className="relative">{name}</span>
                <span className="relative text-soft text-xs">{what}</span>
              </span>
            </th>
            <td className={CELL}>{formatNumber(part.sales)}</td>
            <td className={CELL}>
              {formatMoney(centsOf(part), currency)}
              {revenue > 0 && (
                <span className="block text-faint text-xs">{formatPercent(centsOf(part) / revenue)}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
