import { createContext, useContext } from 'react'
import type { PortalProgram } from '~/api/portal.ts'

export const CurrentPartnership = createContext<PortalProgram | null>(null)

/** The program of the address, as its partner knows it. For screens inside the portal's shell. */
export const usePartnership = () => {
  const program = useContext(CurrentPartnership)
  if (!program) throw new Error('There is no program outside of the portal.')
  return program
}
