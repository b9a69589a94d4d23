import type { Partner, PartnerStatus } from '@tributary/contract'
import { Info } from 'lucide-react'

const NO_CLICKS =
  'Their links no longer track clicks. New commissions from customers they referred earlier go to review.'

const CONSEQUENCES: Partial<Record<PartnerStatus, string>> = {
  pending: 'Commissions become payable once you approve this partner and the hold period ends.',
  suspended: `This partner gets no payouts until an owner or admin reinstates them. ${NO_CLICKS}`,
  rejected: `This partner gets no payouts until an owner or admin approves them. ${NO_CLICKS}`,
}

/** Archiving alone does not stop payouts. */
const archivedText = (status: PartnerStatus) =>
  status === 'approved'
    ? 'Archived. Their links no longer track clicks. Their balance is still paid out.'
    : 'Archived. Their links no longer track clicks, and they are excluded from payouts until approved.'

/** Explains what an unusual status means for links and payouts. */
export const PartnerStatusNotice = ({
  partner: { status, archived },
}: {
  partner: Pick<Partner, 'status' | 'archived'>
}) => {
  const text = archived ? archivedText(status) : CONSEQUENCES[status]
  if (!text) return null
  return (
    <p className="flex items-start gap-2 rounded-xl bg-warn-soft px-5 py-3 text-sm text-warn-ink">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0" /> <span>{text}</span>
    </p>
  )
}
