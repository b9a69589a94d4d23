import { findProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import type { Call, Dependencies } from './context.ts'
import { numberIn } from './lists.ts'

/** The program that the path names. */
export const programIn = async (c: Call, { db }: Dependencies) => {
  const id = numberIn(c, 'programId')
  const program = id === null ? undefined : await findProgram(db, id)
  if (!program) throw new Refusal('program_not_found', 'There is no program with this ID.')
  return program
}
