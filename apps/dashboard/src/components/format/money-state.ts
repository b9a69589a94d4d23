import type { CommissionState, PartnerStatus } from '@tributary/contract'

/** The displayed state: a commission held for a dispute differs from one in its hold period. */
export const displayState = ({ state, disputedCents, voidReason }: Shown) => {
  if (voidReason !== null && state === 'reversed') return 'voided'
  return state === 'held' && disputedCents > 0 ? 'in_dispute' : state
}
type Shown = { state: CommissionState; disputedCents: number; voidReason: string | null }

/** A line emptied by refunds ended without a failed payment. */
export const displayLineState = ({ status, emptied }: { status: string; emptied: boolean }) =>
  emptied ? 'emptied' : status

type PaidByFile = {
  status: string
  partnerStatus: PartnerStatus
  needsDetails: boolean
  destinationHeldUntil: string | null
  method: string | null
}

/** Why payment files exclude an open line; null if they include it or it is already decided. */
export const exclusionReason = (line: PaidByFile, files: string[] = ['paypal', 'wise']) => {
  if (line.status !== 'open') return null
  if (line.partnerStatus !== 'approved') return 'not approved'
  if (line.needsDetails) return 'needs payout details'
  if (!files.includes(line.method ?? '')) return 'other payout method'
  return line.destinationHeldUntil === null ? null : 'payout details held'
}
