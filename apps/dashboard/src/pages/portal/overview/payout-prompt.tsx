import { Link } from '@tanstack/react-router'
import type { PortalOverview } from '@tributary/contract'
import { Wallet } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { formatList, formatMoney } from '~/components/format/format.ts'
import { usePartnership } from '../portal-context.ts'

/** Asks for payout details as long as there is something to pay, also in a payout that the program has not sent yet. */
export const PayoutPrompt = ({ balances }: { balances: PortalOverview['balances'] }) => {
  const due = balances
    .map(({ currency, payableCents, batchedCents }) => ({ currency, cents: Math.max(payableCents, 0) + batchedCents }))
    .filter(({ cents }) => cents > 0)
  if (due.length === 0) return null
  return <MissingDetails amount={formatList(due.map(({ cents, currency }) => formatMoney(cents, currency)))} />
}

const MissingDetails = ({ amount }: { amount: string }) => {
  const { programId, programName } = usePartnership()
  const { data: details } = useCall('get /api/portal/programs/{programId}/payout-details', { programId })
  if (details !== null) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn-ink">
      <p className="flex min-w-0 items-start gap-2">
        <Wallet aria-hidden className="mt-px size-4 shrink-0" />
        <span className="min-w-0">
          {amount} is ready to be paid. Add your payout details so {programName} can pay you.
        </span>
      </p>
      <Link
        to="/portal/$programId/payouts"
        params={{ programId: String(programId) }}
        className={buttonClass({ size: 'small' })}
      >
        Add payout details
      </Link>
    </div>
  )
}
