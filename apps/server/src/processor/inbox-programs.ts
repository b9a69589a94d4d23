import DataLoader from 'dataloader'
import type { Database } from '../database/connect.ts'
import { anyOfTexts } from '../database/sql/columns.ts'
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

/** The inbox program of a program's workspace, or the program itself while there is none. Concurrent calls share one query. */
export const inboxProgramLoader = (db: Database) => {
  const ids = new DataLoader<string, number | null>(
    async (workspaceIds) => {
      const rows = await db
        .selectFrom('processorHomePrograms')
        .select(['workspaceId', 'programId'])
        .where('workspaceId', '=', anyOfTexts([...new Set(workspaceIds)]))
        .execute()
      const byWorkspace = new Map(rows.map(({ workspaceId, programId }) => [workspaceId, programId]))
      return workspaceIds.map((workspaceId) => byWorkspace.get(workspaceId) ?? null)
    },
    { cache: false, batchScheduleFn: setImmediate },
  )
  return {
    load: async (program: Program): Promise<Program> => {
      const id = (await ids.load(program.workspaceId)) ?? program.id
      return id === program.id ? program : ((await findProgram(db, id)) ?? program)
    },
  }
}

export const findInboxProgram = async (db: Database | Tx, workspaceId: string) => {
  const id = await findInboxProgramId(db, workspaceId)
  return id === null ? undefined : findProgram(db, id)
}
