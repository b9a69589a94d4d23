import type { UseQueryResult } from '@tanstack/react-query'
import type { CommissionState } from '@tributary/contract'
import { clsx } from 'clsx'
import type { CommissionTotal } from '~/api/money/commissions.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount, formatMoney } from '~/components/format/format.ts'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'

const TILES: { state: CommissionState; label: string }[] = [
  { state: 'held', label: 'Held' },
  { state: 'payable', label: 'Payable' },
  { state: 'review', label: 'In review' },
  { state: 'paid', label: 'Paid' },
  { state: 'reversed', label: 'Reversed' },
]

type Props = {
  query: UseQueryResult<CommissionTotal[]>
  state: string | undefined
  onChange: (state: string | undefined) => void
}

/** The total of each state; clicking one filters by it. */
export const StateTiles = ({ query, state, onChange }: Props) => (
  <Card className="overflow-hidden">
    <QueryView query={query} loading={<TilesSkeleton />}>
      {(totals) => (
        <fieldset className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:grid-cols-5">
          <legend className="sr-only">Status</legend>
          {TILES.map((tile) => (
            <Tile
              key={tile.state}
              {...tile}
              totals={totals.filter((total) => total.state === tile.state)}
              isChosen={state === tile.state}
              onPress={() => onChange(state === tile.state ? undefined : tile.state)}
            />
          ))}
          <span aria-hidden className="hidden bg-surface sm:max-lg:block" />
        </fieldset>
      )}
    </QueryView>
  </Card>
)

type TileProps = {
  state: CommissionState
  label: string
  totals: CommissionTotal[]
  isChosen: boolean
  onPress: () => void
}

const Tile = ({ state, label, totals, isChosen, onPress }: TileProps) => {
  const { program } = useProgram()
  const count = totals.reduce((sum, total) => sum + total.count, 0)
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onPress}
      className={clsx(
        'flex min-w-0 flex-col items-start gap-1 bg-surface px-4 py-3.5 text-left hover:bg-hover focus-visible:-outline-offset-2 max-sm:last-of-type:col-span-2 sm:px-5',
        isChosen && 'shadow-[inset_0_-2px_0_var(--accent)]',
      )}
    >
      <span className={clsx('text-sm', isChosen ? 'font-medium text-ink' : 'text-soft')}>{label}</span>
      <span className="font-semibold text-xl tabular-nums tracking-tight">
        <Amounts of={totals} currency={program.currency} />
      </span>
      <span className="text-faint text-xs">{formatCount(count, 'commission')}</span>
      {(state === 'payable' || state === 'held') && <InPayout totals={totals} />}
      {state === 'held' && <InDispute totals={totals} />}
    </button>
  )
}

/** The payouts page excludes amounts that are already in an open payout, so show them here. */
const InPayout = ({ totals }: { totals: CommissionTotal[] }) => {
  const some = totals.filter(({ inPayoutCents }) => inPayoutCents > 0)
  return some.map(({ currency, amountCents, inPayoutCents }) => (
    <span key={currency} className="text-faint text-xs">
      {amountCents === inPayoutCents
        ? `All in an open payout`
        : `${formatMoney(inPayoutCents, currency)} in an open payout`}
    </span>
  ))
}

/** Held until the dispute closes; balances show it separately. */
const InDispute = ({ totals }: { totals: CommissionTotal[] }) => {
  const some = totals.filter(({ disputedCents }) => disputedCents > 0)
  return some.map(({ currency, amountCents, disputedCents }) => (
    <span key={currency} className="text-faint text-xs">
      {amountCents === disputedCents ? `All in dispute` : `${formatMoney(disputedCents, currency)} in dispute`}
    </span>
  ))
}

const TilesSkeleton = () => (
  <Loading className="grid grid-cols-2 gap-6 p-5 sm:grid-cols-3 lg:grid-cols-5">
    {TILES.map(({ state }) => (
      <Skeleton key={state} className="h-16 w-full" />
    ))}
  </Loading>
)
