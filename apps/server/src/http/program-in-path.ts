import { rowIdText } from '@tributary/contract'
import { findProgram } from '../programs/programs.ts'
import { Refusal } from '../refusal.ts'
import type { Call, Dependencies } from './context.ts'

/** The program in the path. */
export const programInPath = async (c: Call, { db }: Dependencies) => {
  const id = rowIdText.safeParse(c.req.param('programId')).data
  const program = id === undefined ? undefined : await findProgram(db, id)
  if (!program) throw new Refusal('program_not_found', 'No program has this ID. Check the ID in the path.')
  c.set('db', db)
  return program
}
