import { Landmark } from 'lucide-react'
import type { PartnerDetail } from '~/api/partners.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { formatDate, formatTime } from '~/components/format/format.ts'
import { EmptyState } from '~/components/states.tsx'
import { payoutFacts } from '../payout-facts.tsx'

export const PartnerPayoutDetails = ({ partner: { payoutDetails: details } }: { partner: PartnerDetail }) => (
  <Card>
    <CardHeader title="Payout details" />
    {details ? (
      <div className="p-5">
        <Facts
          facts={[
            ...payoutFacts(details),
            { label: 'Updated', value: formatDate(details.updatedAt) },
            ...(details.heldUntil ? [{ label: 'Payouts paused until', value: formatTime(details.heldUntil) }] : []),
          ]}
        />
      </div>
    ) : (
      <EmptyState icon={<Landmark />} title="No payout details yet">
        The partner adds them in the portal. Until then, payment files exclude this partner.
      </EmptyState>
    )}
  </Card>
)
