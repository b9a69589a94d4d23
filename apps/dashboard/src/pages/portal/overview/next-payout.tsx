import type { PortalOverview } from '@tributary/contract'
import { formatList, formatMoney } from '~/components/format/format.ts'
import { formatDayAhead } from '../../holds/hold-text.ts'
import { usePartnership } from '../portal-context.ts'

/** "Next payout on Dec 1: $442.80 expected." Programs check what a schedule prepares, so no day is promised for the payment. */
export const NextPayout = ({ next }: { next: PortalOverview['nextPayout'] }) => {
  const { status, programName } = usePartnership()
  if (status !== 'approved') return null
  if (next === null) return `${programName} prepares payouts by hand, without fixed dates.`
  const amount = formatList(next.amounts.map(({ amountCents, currency }) => formatMoney(amountCents, currency)))
  return (
    <>
      <strong className="font-medium text-ink">
        Next payout on {formatDayAhead(next.on)}
        {amount && `: ${amount} expected`}
      </strong>
      {amount
        ? `. ${programName} prepares it on that day and pays it after checking it.`
        : '. As things stand, nothing is due to you by then.'}
    </>
  )
}
