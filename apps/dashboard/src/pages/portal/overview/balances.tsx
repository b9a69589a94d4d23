import { Link } from '@tanstack/react-router'
import type { PortalOverview } from '@tributary/contract'
import { Card } from '~/components/card.tsx'
import { formatMoney } from '~/components/format/format.ts'
import { describeNextOf } from '../../holds/hold-text.ts'
import { notPaidText } from '../earning-text.ts'
import { usePayee } from '../portal-context.ts'
import { NextPayout } from './next-payout.tsx'

type Balance = PortalOverview['balances'][number]
type Tile = { label: string; note: string; of: (balance: Balance) => number; state?: string; always?: true }

/** Rare states appear only if their amount is not zero, and so does `held` without a hold period. */
const TILES: Tile[] = [
  { label: 'Held', note: 'until the hold period ends', of: ({ heldCents }) => heldCents, state: 'held', always: true },
  {
    label: 'Payable',
    note: 'in the next payout',
    of: ({ payableCents }) => payableCents,
    state: 'payable',
    always: true,
  },
  {
    label: 'In review',
    note: 'being checked before it is paid',
    of: ({ reviewCents }) => reviewCents,
    state: 'review',
  },
  {
    label: 'In dispute',
    note: 'until the dispute closes',
    of: ({ disputedCents }) => disputedCents,
    state: 'in_dispute',
  },
  { label: 'In payout', note: 'not sent yet', of: ({ batchedCents }) => batchedCents, state: 'on_its_way' },
  { label: 'Paid', note: 'to date', of: ({ paidCents }) => paidCents, state: 'paid', always: true },
]

const NOTHING = {
  heldCents: 0,
  payableCents: 0,
  batchedCents: 0,
  paidCents: 0,
  reviewCents: 0,
  disputedCents: 0,
  nextPayable: null,
}

type Props = { balances: Balance[]; nextPayout: PortalOverview['nextPayout']; currency: string }

export const Balances = ({ balances, nextPayout, currency }: Props) => {
  const shown = balances.length > 0 ? balances : [{ ...NOTHING, currency }]
  const { holdDays } = usePayee().reward
  const isAlways = ({ always, state }: Tile) => always && !(state === 'held' && holdDays === 0)
  const tiles = TILES.filter((tile) => isAlways(tile) || shown.some((balance) => tile.of(balance) !== 0))
  return (
    <Card weight="lead" className="overflow-hidden">
      <dl className="grid grid-cols-1 gap-px bg-line sm:auto-cols-fr sm:grid-flow-col">
        {tiles.map((tile) => (
          <BalanceTile key={tile.label} tile={tile} balances={shown} />
        ))}
      </dl>
      <p className="text-pretty border-line border-t px-4 py-3 text-soft text-sm empty:hidden sm:px-5">
        <NextPayout next={nextPayout} />
      </p>
    </Card>
  )
}

const BalanceTile = ({ tile: { label, note, of, state }, balances }: { tile: Tile; balances: Balance[] }) => {
  const payee = usePayee()
  const owed = balances.filter((row) => of(row) > 0)
  const { minimumPayoutCents, currency } = payee.reward
  const isSmall = owed.length > 0 && owed.every((row) => row.currency === currency && of(row) < minimumPayoutCents)
  const { programId, status } = payee
  const awaitsApproval = state === 'held' && status !== 'approved'
  const small =
    state === 'payable' && isSmall ? `below the minimum payout of ${formatMoney(minimumPayoutCents, currency)}` : null
  const notPaid = state === 'payable' || awaitsApproval ? (notPaidText(payee) ?? small) : null
  const unpaidLabel = status === 'pending' ? 'Awaiting approval' : 'Held'
  const next = state === 'held' && !awaitsApproval ? describeNextOf(balances) : null
  const isDebt = state === 'payable' && balances.some((balance) => of(balance) < 0)
  return (
    <div className="flex flex-col gap-1 bg-surface px-4 py-3.5 sm:px-5">
      <dt className="text-soft text-sm">
        {state ? (
          <Link
            to="/portal/$programId/earnings"
            params={{ programId: String(programId) }}
            search={{ state }}
            className="underline-offset-3 hover:text-ink hover:underline"
          >
            {awaitsApproval ? unpaidLabel : label}
          </Link>
        ) : (
          label
        )}
      </dt>
      <dd>
        {balances.map((balance) => (
          <span key={balance.currency} className="block text-total">
            {formatMoney(of(balance), balance.currency)}
          </span>
        ))}
        {balances.some((balance) => of(balance) !== 0) && (
          <span className="block text-faint text-xs">
            {isDebt ? 'deducted from the next payout' : (notPaid ?? next ?? note)}
          </span>
        )}
      </dd>
    </div>
  )
}
