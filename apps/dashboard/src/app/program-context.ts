import type { Permission, Program, Workspace } from '@tributary/contract'
import { createContext, useContext } from 'react'
import type { SignedInUser } from '~/api/accounts/session.ts'

export type ProgramContext = {
  user: SignedInUser
  program: Program
  workspace: Workspace
  /** Whether the signed-in person may do something in this workspace. The service decides in any case. */
  may: (permission: Permission) => boolean
}

export const CurrentProgram = createContext<ProgramContext | null>(null)

/** The program of the address. For screens inside the shell. */
export const useProgram = () => {
  const context = useContext(CurrentProgram)
  if (!context) throw new Error('There is no program outside of the shell.')
  return context
}
