import type { Database } from '../database/connect.ts'
import { assignSequences, type FanOut, hasUnsequenced } from './sequence.ts'

/** A backlog beyond that is the sequencer's: no caller waits for it. */
const MAX_ROUNDS = 10

type Numbering = { db: Database; programId: number; fanOut: FanOut[]; maxRounds?: number }

/** Gives every event that was committed before this call its sequence, also those that another process is about to number. */
export const numberCommitted = async ({ db, programId, fanOut, maxRounds = MAX_ROUNDS }: Numbering) => {
  for (let round = 0; round < maxRounds && (await hasUnsequenced(db, programId)); round++)
    await assignSequences(db, programId, fanOut)
}
