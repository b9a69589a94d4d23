import { findProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import type { Call, Dependencies } from './context.ts'
import { pathId } from './lists.ts'

/** The program in the path. */
export const programInPath = async (c: Call, { db }: Dependencies) => {
  const id = pathId(c, 'programId')
  const program = id === null ? undefined : await findProgram(db, id)
  if (!program) throw new Refusal('program_not_found', 'No program has this ID. Check the ID in the path.')
  c.set('db', db)
  return program
}
