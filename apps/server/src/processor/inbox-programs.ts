import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { findProgram, type Program } from '../programs/programs.ts'

type InboxProgram = { workspaceId: string; programId: number }

/**
 * The inbox program of a workspace stores its processor events and payments, whichever program they concern: the first one
 * connected, permanently (table processor_home_programs). There is one per workspace, because an account with two endpoints sends
 * each event to both, and reports of one payment must be joined.
 */
export const ensureInboxProgram = async (tx: Tx, { workspaceId, programId }: InboxProgram) => {
  await tx
    .insertInto('processorHomePrograms')
    .values({ workspaceId, programId })
    .onConflict((conflict) => conflict.column('workspaceId').doNothing())
    .execute()
}

export const findInboxProgramId = async (db: Database | Tx, workspaceId: string) => {
  const row = await db
    .selectFrom('processorHomePrograms')
    .select('programId')
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  return row?.programId ?? null
}

/** The inbox program of the workspace, or the program itself while there is none. */
export const loadInboxProgram = async (db: Database, program: Program): Promise<Program> => {
  const id = (await findInboxProgramId(db, program.workspaceId)) ?? program.id
  return id === program.id ? program : ((await findProgram(db, id)) ?? program)
}

export const findInboxProgram = async (db: Database | Tx, workspaceId: string) => {
  const id = await findInboxProgramId(db, workspaceId)
  return id === null ? undefined : findProgram(db, id)
}
