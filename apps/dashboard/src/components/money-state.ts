import type { CommissionState } from '@tributary/contract'

/** How people call the state of a commission: held for the outcome of a dispute is not held until a day. */
export const stateOf = ({ state, disputedCents }: { state: CommissionState; disputedCents: number }) =>
  state === 'held' && disputedCents > 0 ? 'in_dispute' : state

/** A line of which nothing was left is over as a failed one is, but no payment went wrong. */
export const lineStateOf = ({ status, emptied }: { status: string; emptied: boolean }) => (emptied ? 'emptied' : status)
