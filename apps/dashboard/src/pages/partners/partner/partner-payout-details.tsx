import { Landmark } from 'lucide-react'
import type { PartnerDetail } from '~/api/partners.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { formatDate, formatTime } from '~/components/format/format.ts'
import { EmptyState } from '~/components/states.tsx'
import { payoutFacts } from '../payout-facts.tsx'

/** Where the partner wants their money. They say so in the portal. */
export const PartnerPayoutDetails = ({ partner: { payoutDetails: details } }: { partner: PartnerDetail }) => (
  <Card>
    <CardHeader title="Payout details" />
    {details ? (
      <div className="p-5">
        <Facts
          facts={[
            ...payoutFacts(details),
            { label: 'Changed', value: formatDate(details.updatedAt) },
            ...(details.heldUntil ? [{ label: 'Held until', value: formatTime(details.heldUntil) }] : []),
          ]}
        />
      </div>
    ) : (
      <EmptyState icon={<Landmark />} title="Not given yet">
        The partner enters them in the portal. Until then, their lines are in no payment file.
      </EmptyState>
    )}
  </Card>
)
