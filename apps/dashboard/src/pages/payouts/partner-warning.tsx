import { TriangleAlert } from 'lucide-react'
import type { PayoutLine } from '~/api/money/payouts.ts'

const NOT_APPROVED = 'Payment files leave this line out. Check with your team before you pay.'

const warningOf = ({ partnerName, partnerStatus, partnerArchived }: PayoutLine) => {
  if (partnerStatus !== 'approved') return `${partnerName} is ${partnerStatus}. ${NOT_APPROVED}`
  return partnerArchived ? `${partnerName} is archived. They are still owed what they earned.` : null
}

/** Says before a payment that the partner is not active. */
export const PartnerWarning = ({ line }: { line: PayoutLine }) => {
  const warning = warningOf(line)
  if (!warning) return null
  return (
    <p className="mt-3 flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" /> <span>{warning}</span>
    </p>
  )
}
