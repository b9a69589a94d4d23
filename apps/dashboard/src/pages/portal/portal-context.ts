import { createContext, useContext } from 'react'
import type { PortalProgram } from '~/api/portal.ts'

export const CurrentPartnership = createContext<PortalProgram | null>(null)

/** The partnership in the URL. Only for screens inside the portal shell. */
export const usePartnership = () => {
  const program = useContext(CurrentPartnership)
  if (!program) throw new Error('usePartnership needs the portal shell around it.')
  return program
}
