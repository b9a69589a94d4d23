import { Link } from '@tanstack/react-router'
import type { PortalOverview } from '@tributary/contract'
import { Wallet } from 'lucide-react'
import { useCall } from '~/api/call.ts'
import { buttonClass } from '~/components/controls/button.tsx'
import { formatList, formatMoney } from '~/components/format/format.ts'
import { describeNextOf } from '../../holds/hold-text.ts'
import { usePartnership } from '../portal-context.ts'

/**
 * Asks for payout details as long as there is something to pay, also in a payout that the program has not sent yet. Held amounts count,
 * because payouts are paused after the first details are saved.
 */
export const PayoutPrompt = ({ balances }: { balances: PortalOverview['balances'] }) => {
  const due = balances
    .map(({ currency, payableCents, batchedCents }) => ({ currency, cents: Math.max(payableCents, 0) + batchedCents }))
    .filter(({ cents }) => cents > 0)
  const next = describeNextOf(balances)
  if (due.length > 0) {
    const amounts = formatList(due.map(({ cents, currency }) => formatMoney(cents, currency)))
    return <MissingDetails reason={`${amounts} is ready to be paid.`} />
  }
  return next && <MissingDetails reason={`${next}.`} />
}

const MissingDetails = ({ reason }: { reason: string }) => {
  const { programId, programName } = usePartnership()
  const { data: details } = useCall('get /api/portal/programs/{programId}/payout-details', { programId })
  if (details !== null) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn-ink">
      <p className="flex min-w-0 items-start gap-2">
        <Wallet aria-hidden className="mt-px size-4 shrink-0" />
        <span className="min-w-0">
          {reason} Add your payout details so {programName} can pay you.
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
