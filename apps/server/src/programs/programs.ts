import type { AttributionModel, ChangeProgram, CreateProgram, LeadAuth } from '@tributary/contract'
import type { Selectable } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, anyOfTexts } from '../database/sql/any-of.ts'
import { type Page, pageOf } from '../database/sql/pages.ts'
import type { Programs } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

/** The check constraints of the table are what makes these types true. */
export type Program = Selectable<Programs> & {
  leadAuth: LeadAuth
  attributionModel: AttributionModel
  paymentTrackingMode: 'processor_connect' | 's2s'
}

const asProgram = (row: Selectable<Programs>) => row as Program

export const findProgram = async (db: Database | Tx, id: number) => {
  const row = await db.selectFrom('programs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && asProgram(row)
}

/** Those of these that are there. */
export const findPrograms = async (db: Database | Tx, ids: number[]): Promise<Program[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('programs')
    .selectAll()
    .where('id', '=', anyOf([...new Set(ids)]))
    .execute()
  return rows.map(asProgram)
}

/** Makes the stories of one program that call this run one after the other. Does not block what refers to the program. */
export const lockProgram = (tx: Tx, id: number) =>
  tx.selectFrom('programs').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const createProgram = async (
  db: Database | Tx,
  program: Omit<CreateProgram, 'workspaceId' | 'reward'> & { workspaceId: string; createdAt: Date },
) => asProgram(await db.insertInto('programs').values(program).returningAll().executeTakeFirstOrThrow())

export const changeProgram = async (db: Database | Tx, id: number, change: ChangeProgram) => {
  const row = await db
    .updateTable('programs')
    // An empty change is a change to nothing, not an error.
    .set((expression) => ({ id: expression.ref('id'), ...change }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return asProgram(row)
}

export const listPrograms = async (db: Database, { workspaceIds, ...page }: { workspaceIds: string[] } & Page) => {
  if (workspaceIds.length === 0) return { rows: [], total: 0 }
  const list = await pageOf(
    db.selectFrom('programs').where('workspaceId', '=', anyOfTexts(workspaceIds)).selectAll().orderBy('id'),
    page,
  )
  return { ...list, rows: list.rows.map(asProgram) }
}

/** What programs are called, for people who see nothing else of them. */
export const programNames = async (db: Database, ids: number[]) => {
  if (ids.length === 0) return new Map<number, string>()
  const rows = await db.selectFrom('programs').select(['id', 'name']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
