import type { PartnerDetail } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { Card, CardHeader } from '~/components/card.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { formatDate, formatTime } from '~/components/format/format.ts'
import { EmptyLine } from '~/components/states.tsx'
import { payoutFacts } from '../payout-facts.tsx'
import { InviteButton } from './invite-partner.tsx'

export const PartnerPayoutDetails = ({ partner }: { partner: PartnerDetail }) => {
  const details = partner.payoutDetails
  const isPaid = partner.status === 'approved'
  return (
    <Card weight="quiet">
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
        <EmptyLine title="No payout details yet" action={isPaid && <AskForDetails partner={partner} />}>
          The partner adds payout details in the portal.
          {isPaid && ' Until then, payouts include this partner only if you select them.'}
        </EmptyLine>
      )}
    </Card>
  )
}

/** Partners enter their own details: invite those without access, and remind the others. */
const AskForDetails = ({ partner }: { partner: PartnerDetail }) => {
  const { may } = useProgram()
  if (!partner.hasAccount) return may('partner:manage') && <InviteButton partner={partner} />
  return (
    partner.email !== null && (
      <a href={`mailto:${partner.email}`} className={buttonClass({ size: 'small' })}>
        Email partner
      </a>
    )
  )
}
