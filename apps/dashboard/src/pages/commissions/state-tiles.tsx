import type { UseQueryResult } from '@tanstack/react-query'
import type { CommissionState, CommissionTotal } from '@tributary/contract'
import { clsx } from 'clsx'
import type { List } from '~/api/client.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount } from '~/components/format/format.ts'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { totalsByCurrency } from '../payouts/totals.ts'

type Tile = {
  state: string
  label: string
  /** The states it adds up; without any, all of them. */
  of?: CommissionState
  cents: (total: CommissionTotal) => number
  count: (total: CommissionTotal) => number
  /** Shown only if there are any. */
  rare?: true
}

/** Like balances, leaves out amounts in an open payout or in dispute, which have their own tiles. */
const free = (state: CommissionState, label: string): Tile => ({
  state,
  label,
  of: state,
  cents: ({ amountCents, inPayoutCents, disputedCents }) => amountCents - inPayoutCents - disputedCents,
  count: ({ count, freeCount }) => (state === 'held' || state === 'payable' ? freeCount : count),
})

const TILES: Tile[] = [
  free('held', 'Held'),
  free('payable', 'Payable'),
  free('review', 'In review'),
  {
    state: 'in_dispute',
    label: 'In dispute',
    rare: true,
    cents: ({ disputedCents }) => disputedCents,
    count: ({ disputedCount }) => disputedCount,
  },
  {
    state: 'on_its_way',
    label: 'In payout',
    cents: ({ inPayoutCents }) => inPayoutCents,
    count: ({ inPayoutCount }) => inPayoutCount,
  },
  free('paid', 'Paid'),
  {
    state: 'reversed',
    label: 'Reversed in full',
    of: 'reversed',
    cents: ({ reversedCents }) => reversedCents,
    count: ({ count }) => count,
  },
]

/** The amount per currency, without currencies that have none, and the number of commissions. */
const tileTotals = ({ of, cents, count }: Tile, totals: CommissionTotal[]) => {
  const counted = totals.filter(({ state }) => of === undefined || state === of)
  const amounts = totalsByCurrency(counted.map((total) => ({ currency: total.currency, amountCents: cents(total) })))
  return {
    amounts: amounts.filter(({ amountCents }) => amountCents !== 0),
    count: counted.reduce((sum, total) => sum + count(total), 0),
  }
}

type Props = {
  query: UseQueryResult<List<CommissionTotal>>
  state: string | undefined
  onChange: (state: string | undefined) => void
}

/** The total of each state; clicking one filters by it. */
export const StateTiles = ({ query, state, onChange }: Props) => (
  <Card className="overflow-hidden">
    <QueryView query={query} loading={<TilesSkeleton />}>
      {({ data: totals }) => (
        <fieldset className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
          <legend className="sr-only">Status</legend>
          {TILES.map((tile) => ({ tile, ...tileTotals(tile, totals) }))
            .filter(({ tile, count }) => !tile.rare || count > 0)
            .map(({ tile: { state: of, label }, amounts, count }) => (
              <StateTile
                key={of}
                label={label}
                amounts={amounts}
                count={count}
                isChosen={state === of}
                onPress={() => onChange(state === of ? undefined : of)}
              />
            ))}
        </fieldset>
      )}
    </QueryView>
  </Card>
)

type TileProps = {
  label: string
  amounts: { currency: string; amountCents: number }[]
  count: number
  isChosen: boolean
  onPress: () => void
}

const StateTile = ({ label, amounts, count, isChosen, onPress }: TileProps) => {
  const { program } = useProgram()
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onPress}
      className={clsx(
        'flex min-w-0 flex-col items-start gap-1 bg-surface px-4 py-3.5 text-left hover:bg-hover focus-visible:-outline-offset-2 max-sm:last-of-type:nth-of-type-[odd]:col-span-2 sm:max-lg:nth-of-type-7:col-span-3 sm:px-5',
        isChosen && 'shadow-[inset_0_-2px_0_var(--ink)]',
      )}
    >
      <span className={clsx('text-sm', isChosen ? 'font-medium text-ink' : 'text-soft')}>{label}</span>
      <span className="text-total">
        {/* Commissions that a correction brought to zero have no amount. */}
        {count > 0 && amounts.length === 0 ? '–' : <Amounts of={amounts} currency={program.currency} />}
      </span>
      <span className="text-faint text-xs">{formatCount(count, 'commission')}</span>
    </button>
  )
}

const TilesSkeleton = () => (
  <Loading className="grid grid-cols-2 gap-6 p-5 sm:grid-cols-3 lg:grid-cols-6">
    {TILES.filter(({ rare }) => !rare).map(({ state }) => (
      <Skeleton key={state} className="h-16 w-full" />
    ))}
  </Loading>
)
