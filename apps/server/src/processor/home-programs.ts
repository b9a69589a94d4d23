import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { findProgram, type Program } from '../programs/programs.ts'

type HomeProgram = { workspaceId: string; programId: number }

/**
 * The program under which a workspace stores its processor events: the first one connected, permanently. There is one per
 * workspace, because an account with two endpoints sends each event to both, and reports of one payment must be joined.
 */
export const ensureHomeProgram = async (tx: Tx, { workspaceId, programId }: HomeProgram) => {
  await tx
    .insertInto('processorHomePrograms')
    .values({ workspaceId, programId })
    .onConflict((conflict) => conflict.column('workspaceId').doNothing())
    .execute()
}

export const findHomeProgramId = async (db: Database | Tx, workspaceId: string) => {
  const row = await db
    .selectFrom('processorHomePrograms')
    .select('programId')
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  return row?.programId ?? null
}

/** For a program that may be the home itself, or the only one of its workspace. */
export const homeOf = async (db: Database, program: Program): Promise<Program> => {
  const id = (await findHomeProgramId(db, program.workspaceId)) ?? program.id
  return id === program.id ? program : ((await findProgram(db, id)) ?? program)
}

export const findHomeProgram = async (db: Database | Tx, workspaceId: string) => {
  const id = await findHomeProgramId(db, workspaceId)
  return id === null ? undefined : findProgram(db, id)
}
