import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

/** Lists all programs in the workspace of a program. A processor event may concern a sale in any of them. */
export const listWorkspacePrograms = async (db: Database | Tx, programId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('programs as program')
    .innerJoin('programs as sibling', 'sibling.workspaceId', 'program.workspaceId')
    .select('sibling.id')
    .where('program.id', '=', programId)
    .orderBy('sibling.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the program that stores the workspace's processor reports, or null if it is this program or there is none. */
export const findOtherInboxProgramId = async (db: Database | Tx, programId: number): Promise<number | null> => {
  const row = await db
    .selectFrom('programs')
    .innerJoin('processorHomePrograms', 'processorHomePrograms.workspaceId', 'programs.workspaceId')
    .select('processorHomePrograms.programId')
    .where('programs.id', '=', programId)
    .where('processorHomePrograms.programId', '<>', programId)
    .executeTakeFirst()
  return row?.programId ?? null
}
