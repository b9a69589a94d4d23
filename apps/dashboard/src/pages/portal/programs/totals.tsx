import type { PortalBalances } from '@tributary/contract'
import { Card } from '~/components/card.tsx'
import { formatMoney } from '~/components/format/format.ts'
import type { Figure } from './figures.ts'

/** Adds up the programs, separately for each currency. */
const sumByCurrency = (rows: PortalBalances[], of: Figure['of']) => {
  const sums = new Map<string, number>()
  for (const balance of rows.flatMap(({ balances }) => balances))
    sums.set(balance.currency, (sums.get(balance.currency) ?? 0) + of(balance))
  return [...sums].toSorted(([one], [other]) => one.localeCompare(other))
}

export const Totals = ({ rows, figures }: { rows: PortalBalances[]; figures: Figure[] }) => {
  if (rows.every(({ balances }) => balances.length === 0)) return null
  return (
    <Card weight="lead" className="overflow-hidden">
      <h2 className="border-line border-b px-5 py-3 text-section">All programs</h2>
      <dl className="grid gap-px bg-line sm:auto-cols-fr sm:grid-flow-col">
        {figures.map(({ label, of }) => (
          <div key={label} className="flex flex-col gap-1 bg-surface px-5 py-3.5">
            <dt className="text-soft text-sm">{label}</dt>
            <dd>
              {sumByCurrency(rows, of).map(([currency, cents]) => (
                <span key={currency} className="block text-total">
                  {formatMoney(cents, currency)}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
