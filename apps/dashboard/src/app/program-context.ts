import type { Permission, Program, Workspace } from '@tributary/contract'
import { createContext, useContext } from 'react'
import type { SignedInUser } from '~/api/accounts/session.ts'

export type ProgramContext = {
  user: SignedInUser
  program: Program
  workspace: Workspace
  /** Whether the user may do this in the workspace. For display only; the service enforces it. */
  may: (permission: Permission) => boolean
  /** Whether changes arrive as they happen, instead of every few seconds. */
  isLive: boolean
}

export const CurrentProgram = createContext<ProgramContext | null>(null)

/** The program in the URL. Only for screens inside the shell. */
export const useProgram = () => {
  const context = useContext(CurrentProgram)
  if (!context) throw new Error('useProgram needs the program shell around it.')
  return context
}
