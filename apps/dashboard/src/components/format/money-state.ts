import type { CommissionState, PartnerStatus } from '@tributary/contract'

/** The displayed state. `held` means the hold period only: disputes, open payouts and the partner's status have their own names. */
export const displayState = ({ state, disputedCents, inPayout, heldForApproval, partnerStatus, voidReason }: Shown) => {
  if (voidReason !== null && state === 'reversed') return 'voided'
  if (state !== 'held' && state !== 'payable') return state
  if (disputedCents > 0) return 'in_dispute'
  if (inPayout) return 'on_its_way'
  if (!heldForApproval) return state
  return partnerStatus === 'pending' ? 'awaiting_approval' : 'on_hold'
}
type Shown = {
  state: CommissionState
  disputedCents: number
  inPayout: boolean
  heldForApproval: boolean
  partnerStatus: PartnerStatus
  voidReason: string | null
}

/** Nothing becomes payable before the partner is approved, whatever the hold period. */
export const unapproved = (status: PartnerStatus) =>
  status === 'pending'
    ? { label: 'Awaiting approval', note: 'until the partner is approved' }
    : { label: 'Held', note: `while the partner is ${status}` }

/** Amounts in a payout or a dispute have their own tiles, so the other tiles leave them out. Other states are API states. */
const STATE_FILTERS: Record<string, { [name in 'state' | 'inPayout' | 'disputed']?: string }> = {
  held: { state: 'held', inPayout: 'false', disputed: 'false' },
  payable: { state: 'payable', inPayout: 'false' },
  on_its_way: { inPayout: 'true' },
  in_dispute: { disputed: 'true' },
}

/** The query for the commissions that a tile counts. */
export const commissionFilter = (state: string | undefined) =>
  state === undefined ? {} : (STATE_FILTERS[state] ?? { state })

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
  return line.destinationHeldUntil === null ? null : 'payout details changed'
}
