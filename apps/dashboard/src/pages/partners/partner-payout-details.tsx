import { Landmark } from 'lucide-react'
import type { PartnerDetail } from '~/api/partners.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Facts } from '~/components/facts.tsx'
import { formatDate } from '~/components/format.ts'
import { EmptyState } from '~/components/states.tsx'
import { METHODS } from './payout-methods.ts'

/** Where the partner wants their money. They say so in the portal. */
export const PartnerPayoutDetails = ({ partner: { payoutDetails: details } }: { partner: PartnerDetail }) => (
  <Card>
    <CardHeader title="Payout details" />
    {details ? (
      <div className="p-5">
        <Facts
          facts={[
            { label: 'Method', value: METHODS[details.method] },
            {
              label: 'Account',
              value: (
                <span className="inline-flex items-center gap-1">
                  <span className="break-all">{details.account}</span>
                  <CopyButton text={details.account} label="Copy the account" iconOnly />
                </span>
              ),
            },
            { label: 'Holder', value: details.holder },
            ...(details.note ? [{ label: 'Note', value: details.note }] : []),
            { label: 'Changed', value: formatDate(details.updatedAt) },
          ]}
        />
      </div>
    ) : (
      <EmptyState icon={<Landmark />} title="Not given yet">
        The partner enters them in the portal. Until then, pay to their e-mail address.
      </EmptyState>
    )}
  </Card>
)
