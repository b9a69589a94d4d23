import type { PayoutLine } from '@tributary/contract'
import { TriangleAlert } from 'lucide-react'

const NOT_APPROVED = 'Payment files exclude this line. Check with your team before you pay.'

const partnerWarning = ({ partnerName, partnerStatus, partnerArchived }: PayoutLine) => {
  if (partnerStatus !== 'approved') return `${partnerName} is ${partnerStatus}. ${NOT_APPROVED}`
  return partnerArchived ? `${partnerName} is archived. Their balance is still owed.` : null
}

export const PartnerWarning = ({ line }: { line: PayoutLine }) => {
  const warning = partnerWarning(line)
  if (!warning) return null
  return (
    <p className="mt-3 flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" /> <span>{warning}</span>
    </p>
  )
}
