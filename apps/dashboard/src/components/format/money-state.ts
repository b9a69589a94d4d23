import type { CommissionState, PartnerStatus } from '@tributary/contract'

/** How people call the state of a commission: held for the outcome of a dispute is not held until a day. */
export const stateOf = ({ state, disputedCents, voidReason }: Shown) => {
  if (voidReason !== null && state === 'reversed') return 'voided'
  return state === 'held' && disputedCents > 0 ? 'in_dispute' : state
}
type Shown = { state: CommissionState; disputedCents: number; voidReason: string | null }

/** A line of which nothing was left is over as a failed one is, but no payment went wrong. */
export const lineStateOf = ({ status, emptied }: { status: string; emptied: boolean }) => (emptied ? 'emptied' : status)

type PaidByFile = {
  status: string
  partnerStatus: PartnerStatus
  needsDetails: boolean
  destinationHeldUntil: string | null
  method: string | null
}

/** Why payment files, or one of them, leave an open line out; null where they include it, or where it is decided. */
export const leftOutOf = (line: PaidByFile, files: string[] = ['paypal', 'wise']) => {
  if (line.status !== 'open') return null
  if (line.partnerStatus !== 'approved') return 'not approved'
  if (line.needsDetails) return 'needs details'
  if (!files.includes(line.method ?? '')) return 'paid another way'
  return line.destinationHeldUntil === null ? null : 'held'
}
