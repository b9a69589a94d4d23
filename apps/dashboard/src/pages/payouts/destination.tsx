import type { PayoutLine } from '~/api/payouts.ts'
import { Facts } from '~/components/facts.tsx'
import { PartnerLink } from '../partners/partner-link.tsx'
import { payoutFacts } from '../partners/payout-facts.tsx'
import { METHODS } from '../partners/payout-methods.ts'

/** Where the money of a line goes, in a row: for whoever may pay, since nobody else is told. */
export const Destination = ({ line }: { line: PayoutLine }) => {
  const { payoutDetails: details, decidedAt, partnerId } = line
  if (!details)
    return decidedAt ? (
      <span className="text-faint">–</span>
    ) : (
      <PartnerLink partnerId={partnerId} partnerName="No details yet" className="text-warn-ink" />
    )
  // They are the partner's of today: a line that was decided before may have gone elsewhere.
  if (decidedAt && details.updatedAt > decidedAt) return <span className="text-faint">Changed since</span>
  return (
    <span className="block min-w-0 max-w-64">
      <span className="block">{METHODS[details.method]}</span>
      <span className="block break-all text-faint text-xs">{details.account}</span>
    </span>
  )
}

/** The same where somebody says that it was sent, with all that the partner said about it. */
export const DestinationFacts = ({ line: { payoutDetails: details, partnerId, partnerName } }: { line: PayoutLine }) =>
  details ? (
    <div className="mt-3 rounded-lg border border-line px-3 py-2">
      <Facts facts={payoutFacts(details)} />
    </div>
  ) : (
    <p className="mt-3 rounded-md bg-warn-soft px-3 py-2 text-warn-ink">
      <PartnerLink partnerId={partnerId} partnerName={partnerName} className="font-medium underline" whole /> has given
      no payout details yet. They enter them in the portal.
    </p>
  )
