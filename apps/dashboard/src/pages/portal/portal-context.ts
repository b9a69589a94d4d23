import { createContext, useContext } from 'react'
import { useCall } from '~/api/call.ts'
import type { PortalProgram } from '~/api/portal.ts'
import { inactiveStatus } from '../links/link-state.ts'

export const CurrentPartnership = createContext<PortalProgram | null>(null)

/** The partnership in the URL. Only for screens inside the portal shell. */
export const usePartnership = () => {
  const program = useContext(CurrentPartnership)
  if (!program) throw new Error('usePartnership needs the portal shell around it.')
  return program
}

/** The partnership, whether the partner has to add payout details to be paid, and until when payouts to them are paused. */
export const usePayee = () => {
  const partnership = usePartnership()
  const { data: details } = useCall('get /api/portal/programs/{programId}/payout-details', {
    programId: partnership.programId,
  })
  return { ...partnership, needsPayoutDetails: details === null, pausedUntil: details?.heldUntil ?? null }
}

type Partnership = Pick<PortalProgram, 'status' | 'archived'>

/** Links of an inactive partnership earn nothing, so nothing asks the partner to share them. */
export const isInactive = (partnership: Partnership) => inactiveStatus(partnership) !== null

/** Why clicks do not count; null if they do. */
export const noClicksText = (partnership: Partnership) => {
  const status = inactiveStatus(partnership)
  if (status === null) return null
  return status === 'rejected'
    ? 'New clicks don’t count because your application was rejected.'
    : `New clicks don’t count while your partnership is ${status}.`
}
