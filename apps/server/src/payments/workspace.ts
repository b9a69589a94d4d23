import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/any-of.ts'
import type { Tx } from '../database/transaction.ts'

/** All programs of the workspace that a program is in: what a processor tells of a payment may be about a sale in any of them. */
export const programsBeside = async (db: Database | Tx, programId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('programs as own')
    .innerJoin('programs as beside', 'beside.workspaceId', 'own.workspaceId')
    .select('beside.id')
    .where('own.id', '=', programId)
    .orderBy('beside.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The same for several programs at once. */
export const programsBesideAll = async (tx: Tx, programIds: number[]): Promise<Map<number, number[]>> => {
  const rows = await tx
    .selectFrom('programs as own')
    .innerJoin('programs as beside', 'beside.workspaceId', 'own.workspaceId')
    .select(['own.id as ownId', 'beside.id'])
    .where('own.id', '=', anyOf([...new Set(programIds)]))
    .orderBy('beside.id')
    .execute()
  return new Map([...Map.groupBy(rows, ({ ownId }) => ownId)].map(([own, beside]) => [own, beside.map(({ id }) => id)]))
}

/** The program that keeps what a processor tells of the workspace's payments, where it is another than this one. */
export const homeBeside = async (db: Database | Tx, programId: number): Promise<number | null> => {
  const row = await db
    .selectFrom('programs')
    .innerJoin('processorHomes', 'processorHomes.workspaceId', 'programs.workspaceId')
    .select('processorHomes.programId')
    .where('programs.id', '=', programId)
    .where('processorHomes.programId', '<>', programId)
    .executeTakeFirst()
  return row?.programId ?? null
}
