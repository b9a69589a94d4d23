import type { PartnerDetail } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Amounts } from '~/components/amounts.tsx'
import { Card } from '~/components/card.tsx'

type Balance = PartnerDetail['balances'][number]

const PARTS: { label: string; note: string; of: (balance: Balance) => number }[] = [
  { label: 'Payable', note: 'for the next payout', of: ({ payableCents }) => payableCents },
  { label: 'Held', note: 'until the hold is over', of: ({ heldCents }) => heldCents },
  { label: 'In review', note: 'or in dispute', of: ({ reviewCents, disputedCents }) => reviewCents + disputedCents },
  { label: 'In payout', note: 'reserved, not marked yet', of: ({ batchedCents }) => batchedCents },
  { label: 'Paid', note: 'in all', of: ({ paidCents }) => paidCents },
]

/** Where the partner's money stands. Below zero it is a debt, which the next payout nets. */
export const PartnerBalances = ({ balances }: { balances: Balance[] }) => {
  const { program } = useProgram()
  return (
    <Card className="overflow-hidden">
      <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:grid-cols-5">
        {PARTS.map(({ label, note, of }) => (
          <div key={label} className="min-w-0 bg-surface px-4 py-3.5 max-sm:nth-5:col-span-2 sm:px-5">
            <dt className="text-soft text-sm">{label}</dt>
            <dd className="mt-0.5 font-semibold text-lg tabular-nums tracking-tight">
              <Amounts
                of={balances.map((balance) => ({ currency: balance.currency, amountCents: of(balance) }))}
                currency={program.currency}
              />
            </dd>
            <dd className="mt-1 text-faint text-xs">{note}</dd>
          </div>
        ))}
        <div aria-hidden className="hidden bg-surface sm:max-lg:block" />
      </dl>
    </Card>
  )
}
