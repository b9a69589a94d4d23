import { skipToken, useQuery } from '@tanstack/react-query'
import type { AdjustmentPreview, AdjustmentRequest } from '@tributary/contract'
import { call } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { FormError } from '~/components/controls/form.tsx'
import { formatDate, formatMoney } from '~/components/format/format.ts'

type Change = AdjustmentPreview['changes'][number]

/** The preview ignores the reason, which is still being typed. */
const WITHOUT_REASON = 'Preview'

/** What would happen to whose money, in plain sentences. */
export const MoneyPreview = ({ request }: { request: AdjustmentRequest | null }) => {
  const { program } = useProgram()
  const body = request && { ...request, reason: WITHOUT_REASON }
  const preview = useQuery({
    queryKey: ['adjustment preview', program.id, body],
    queryFn: body
      ? () => call('post /api/programs/{programId}/adjustments/preview', { programId: program.id, body })
      : skipToken,
    // Not calculated again once the adjustment is made: the service would refuse to make it twice.
    staleTime: 'static',
    retry: false,
    gcTime: 0,
  })
  if (!request) return null
  if (preview.error) return <FormError error={preview.error} />
  return (
    <div aria-live="polite" className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
      <p className="font-medium">What happens</p>
      {preview.data ? (
        <ul className="mt-1 flex flex-col gap-1 text-pretty text-soft">
          {preview.data.changes.length === 0 && <li>No money moves.</li>}
          {preview.data.changes.map((change) => (
            <li key={`${change.partnerId} ${change.currency}`}>{describeChange(change)}</li>
          ))}
        </ul>
      ) : (
        <p className="mt-1 text-soft">Calculating…</p>
      )}
    </div>
  )
}

export const describeChange = (change: Change) => {
  const { partnerName, partnerStatus, amountCents, currency, payableAt, reviewCents, debtCents } = change
  const amount = formatMoney(Math.abs(amountCents), currency)
  if (amountCents < 0) {
    if (debtCents === 0) return `${partnerName} loses ${amount}.`
    const debt =
      debtCents === -amountCents
        ? 'It was already paid, so'
        : `${formatMoney(debtCents, currency)} was already paid, so`
    return `${partnerName} loses ${amount}. ${debt} it is deducted from their next payout.`
  }
  if (reviewCents > 0)
    return `${partnerName} gets ${amount}, which waits for your review because they are ${partnerStatus}.`
  const dueAt = payableAt !== null && new Date(payableAt) > new Date() ? formatDate(payableAt) : null
  if (partnerStatus === 'pending')
    return `${partnerName} gets ${amount}, payable once you approve them${dueAt ? `, on ${dueAt} at the earliest` : ''}.`
  return `${partnerName} gets ${amount}, payable ${dueAt ? `on ${dueAt}` : 'immediately'}.`
}
