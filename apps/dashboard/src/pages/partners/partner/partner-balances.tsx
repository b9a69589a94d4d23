import type { PartnerDetail } from '@tributary/contract'
import { clsx } from 'clsx'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatMoney, formatTime } from '~/components/format/format.ts'
import { unapproved } from '~/components/format/money-state.ts'
import { describeNextOf } from '~/pages/holds/hold-text.ts'

type Balance = PartnerDetail['balances'][number]

const PARTS: { label: string; note: string; of: (balance: Balance) => number; rare?: true }[] = [
  { label: 'Held', note: 'until the hold period ends', of: ({ heldCents }) => heldCents },
  { label: 'Payable', note: 'in the next payout', of: ({ payableCents }) => payableCents },
  { label: 'In review', note: 'needs your decision', of: ({ reviewCents }) => reviewCents },
  { label: 'In dispute', note: 'until the dispute closes', of: ({ disputedCents }) => disputedCents, rare: true },
  { label: 'In payout', note: 'not sent yet', of: ({ batchedCents }) => batchedCents },
  { label: 'Paid', note: 'to date', of: ({ paidCents }) => paidCents },
]

/** Notes that would say nothing about an amount of zero. */
const NEEDS_AMOUNT = ['Held', 'Payable', 'In review', 'In payout']

/** What happens to the payable balance. Only members who manage payouts see the payout details. */
const payableNote = ({ balances, payoutDetails, reward }: PartnerDetail, seesDetails: boolean) => {
  const payable = balances.filter(({ payableCents }) => payableCents > 0)
  if (balances.some(({ payableCents }) => payableCents < 0)) return 'deducted from the next payout'
  const { minimumPayoutCents, currency } = reward
  const isSmall = payable.every((row) => row.currency === currency && row.payableCents < minimumPayoutCents)
  if (isSmall) return `below the minimum of ${formatMoney(minimumPayoutCents, currency)}`
  if (seesDetails && !payoutDetails) return 'needs payout details'
  return payoutDetails?.heldUntil ? `paused until ${formatTime(payoutDetails.heldUntil)}` : 'in the next payout'
}

/** A negative payable balance is a debt that the next payout deducts. */
export const PartnerBalances = ({ partner }: { partner: PartnerDetail }) => {
  const { program, may } = useProgram()
  const { balances, status } = partner
  const parts = PARTS.filter(({ of, rare }) => !rare || balances.some((balance) => of(balance) !== 0))
  const isOdd = parts.length === 5
  return (
    <Card className="overflow-hidden">
      <dl
        className={clsx('grid grid-cols-2 gap-px bg-line sm:grid-cols-3', isOdd ? 'lg:grid-cols-5' : 'lg:grid-cols-6')}
      >
        {parts
          .map((part) => ({
            ...part,
            ...(part.label === 'Held' && status !== 'approved' && unapproved(status)),
            ...(part.label === 'Held' && status === 'approved' && { note: describeNextOf(balances) ?? part.note }),
            ...(part.label === 'Payable' && { note: payableNote(partner, may('payout:manage')) }),
            ...(NEEDS_AMOUNT.includes(part.label) &&
              balances.every((balance) => part.of(balance) === 0) && { note: null }),
          }))
          .map(({ label, note, of }) => (
            <div
              key={label}
              className={clsx('min-w-0 bg-surface px-4 py-3.5 sm:px-5', isOdd && 'max-sm:nth-5:col-span-2')}
            >
              <dt className="text-soft text-sm">{label}</dt>
              <dd className="mt-0.5 text-total">
                <Amounts
                  of={balances.map((balance) => ({ currency: balance.currency, amountCents: of(balance) }))}
                  currency={program.currency}
                />
              </dd>
              {note && <dd className="mt-1 text-faint text-xs">{note}</dd>}
            </div>
          ))}
        {isOdd && <div aria-hidden className="hidden bg-surface sm:max-lg:block" />}
      </dl>
    </Card>
  )
}
