import type { PartnerDetail } from '@tributary/contract'
import { Card, CardHeader } from '~/components/card.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { formatDate } from '~/components/format/format.ts'
import { EmptyLine } from '~/components/states.tsx'

export const PartnerLegalDetails = ({ partner: { legalDetails: details } }: { partner: PartnerDetail }) => (
  <Card weight="quiet">
    <CardHeader title="Legal details" />
    {details ? (
      <div className="p-5">
        <Facts
          facts={[
            { label: 'Full name', value: details.name },
            ...(details.company ? [{ label: 'Company', value: details.company }] : []),
            { label: 'Address', value: <span className="whitespace-pre-line">{details.address}</span> },
            ...(details.taxId ? [{ label: 'Tax ID', value: details.taxId }] : []),
            { label: 'Updated', value: formatDate(details.updatedAt) },
          ]}
        />
      </div>
    ) : (
      <EmptyLine title="No legal details yet">
        The partner adds legal details in the portal. They appear on payout statements.
      </EmptyLine>
    )}
  </Card>
)
