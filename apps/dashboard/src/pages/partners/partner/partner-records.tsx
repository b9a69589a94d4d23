import type { PartnerDetail } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { PartnerApplication } from './partner-application.tsx'
import { PartnerCommissions } from './partner-commissions.tsx'
import { PartnerLegalDetails } from './partner-legal-details.tsx'
import { PartnerPayoutDetails } from './partner-payout-details.tsx'

/** The end of the page: what the partner earned last, and what is on file about them. */
export const PartnerRecords = ({ partner }: { partner: PartnerDetail }) => {
  const { may } = useProgram()
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <PartnerCommissions partnerId={partner.id} />
      <div className="flex min-w-0 flex-col gap-5">
        {may('payout:manage') && <PartnerPayoutDetails partner={partner} />}
        {may('payout:manage') && <PartnerLegalDetails partner={partner} />}
        <PartnerApplication application={partner.application} />
      </div>
    </div>
  )
}
