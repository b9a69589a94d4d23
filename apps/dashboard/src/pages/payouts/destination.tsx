import type { PayoutLine } from '@tributary/contract'
import { Facts } from '~/components/facts/facts.tsx'
import { formatDate, formatTime } from '~/components/format/format.ts'
import { PartnerLink } from '../partners/partner-link.tsx'
import { payoutFacts } from '../partners/payout-facts.tsx'
import { METHODS } from '../partners/payout-methods.ts'

type DestinationState = Pick<PayoutLine, 'needsDetails' | 'destinationChangedAt' | 'destinationHeldUntil'>

/** Why payment files exclude a line, if they do. */
export const DestinationWarning = ({ line }: { line: DestinationState }) => {
  const { needsDetails, destinationChangedAt: changedAt, destinationHeldUntil: heldUntil } = line
  return (
    <>
      {needsDetails && <span className="block text-warn-ink text-xs">Needs payout details</span>}
      {!needsDetails && changedAt && heldUntil && (
        <span className="block text-warn-ink text-xs">
          Payout details changed on {formatDate(changedAt)}, so payouts are paused until {formatTime(heldUntil)}
        </span>
      )}
    </>
  )
}

const CHANGED = 'Payout details changed since this payment'

/** Where a line is paid to. Only for members who may manage payouts. */
export const Destination = ({ line }: { line: PayoutLine }) => {
  const { payoutDetails: details, decidedAt, partnerId, method, needsDetails } = line
  if (needsDetails)
    return (
      <span className="block">
        <PartnerLink partnerId={partnerId} partnerName="Needs payout details" className="text-warn-ink" />
      </span>
    )
  // These are the partner's current details; an older line may have been paid elsewhere.
  const isOld = decidedAt !== null && details !== null && details.updatedAt > decidedAt
  const isOtherMethod = method !== null && method !== details?.method
  if (!method) return <span className="text-faint">{isOld ? CHANGED : '–'}</span>
  return (
    <span className="block min-w-0 max-w-64">
      <span className="block">{METHODS[method]}</span>
      {isOld || isOtherMethod || !details ? (
        <span className="block text-faint text-xs">
          {decidedAt ? CHANGED : `In the ${METHODS[method]} file. The partner has changed the method since.`}
        </span>
      ) : (
        <span className="block break-all text-faint text-xs">{details.account}</span>
      )}
      <DestinationWarning line={line} />
    </span>
  )
}

/** The full payout details, for the dialog that marks a line as paid. */
export const DestinationFacts = ({ line }: { line: PayoutLine }) => {
  const { payoutDetails: details, partnerId, partnerName, destinationChangedAt, destinationHeldUntil } = line
  return (
    <>
      {details ? (
        <div className="mt-3 rounded-lg border border-line px-3 py-2">
          <Facts facts={payoutFacts(details)} />
        </div>
      ) : (
        <p className="mt-3 rounded-md bg-warn-soft px-3 py-2 text-warn-ink">
          <PartnerLink partnerId={partnerId} partnerName={partnerName} className="font-medium underline" whole /> has
          not added payout details yet. They can add them in the partner portal.
        </p>
      )}
      {details && destinationChangedAt && destinationHeldUntil && (
        <p className="mt-3 rounded-md bg-warn-soft px-3 py-2 text-warn-ink">
          Payout details changed on {formatDate(destinationChangedAt)}, so payouts are paused until{' '}
          {formatTime(destinationHeldUntil)}. Ask the partner to confirm the change before you pay.
        </p>
      )}
    </>
  )
}
