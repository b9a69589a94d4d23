import type { Partner, PartnerStatus } from '@tributary/contract'
import { Info } from 'lucide-react'

const REVIEWED =
  'Their links no longer track clicks. New sales of customers they brought earlier are recorded, and the commissions wait in review. They are left out of payouts until an owner or admin approves them again.'

const CONSEQUENCES: Partial<Record<PartnerStatus, string>> = {
  pending:
    'Their links work, and what they earn is held until you approve them. Approving releases everything that is due.',
  suspended: REVIEWED,
  rejected: REVIEWED,
}

/** Archiving stops no payout, but another status than approved does. */
const archivedText = (status: PartnerStatus) =>
  status === 'approved'
    ? 'Archived: their links are off. What they earned is still paid.'
    : 'Archived: their links are off. They are left out of payouts until they are approved.'

/** What the status means for links and money, where it is not the usual. */
export const PartnerStanding = ({
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
