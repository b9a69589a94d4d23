import type { AttributionModel, ChangeProgram, CodePrecedence, CreateProgram, LeadAuth } from '@tributary/contract'
import DataLoader from 'dataloader'
import type { Selectable } from 'kysely'
import type { Database } from '../database/connect.ts'
import { anyOf, anyOfTexts } from '../database/sql/columns.ts'
import { type Page, pageOf } from '../database/sql/pages.ts'
import type { Programs } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

/** The table's check constraints guarantee these types. */
export type Program = Selectable<Programs> & {
  leadAuth: LeadAuth
  attributionModel: AttributionModel
  codePrecedence: CodePrecedence
  paymentTrackingMode: 'processor_connect' | 's2s'
  formerSettings: (AttributionSettings & { codePrecedence?: CodePrecedence; until: string })[]
}

/**
 * The settings that decide attribution. An event uses the settings at the time it happened, even if it is reported later.
 */
type AttributionSettings = { attributionModel: AttributionModel; cookieWindowDays: number }

export const settingsAt = (program: Program, at: Date): AttributionSettings => {
  const { attributionModel, cookieWindowDays } =
    program.formerSettings.find(({ until }) => at < new Date(until)) ?? program
  return { attributionModel, cookieWindowDays }
}

/** Settings from before there were codes do not name it. */
export const codePrecedenceAt = ({ formerSettings, codePrecedence }: Program, at: Date): CodePrecedence => {
  const former = formerSettings.find(({ until }) => at < new Date(until))
  return former ? (former.codePrecedence ?? 'link') : codePrecedence
}

const asProgram = (row: Selectable<Programs>) => row as unknown as Program

export const findProgram = async (db: Database | Tx, id: number) => {
  const row = await db.selectFrom('programs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && asProgram(row)
}

/** The programs that exist among these IDs. */
export const findPrograms = async (db: Database | Tx, ids: number[]): Promise<Program[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('programs')
    .selectAll()
    .where('id', '=', anyOf([...new Set(ids)]))
    .execute()
  return rows.map(asProgram)
}

/** Concurrent calls in one turn of the event loop share one lookup. Nothing is cached. */
export const programLoader = (db: Database) =>
  new DataLoader<number, Program | undefined>(
    async (ids) => {
      const programs = new Map((await findPrograms(db, [...ids])).map((program) => [program.id, program]))
      return ids.map((id) => programs.get(id))
    },
    { cache: false, batchScheduleFn: setImmediate },
  )

/** Serializes operations on one program without blocking rows that reference it. */
export const lockProgram = (tx: Tx, id: number) =>
  tx.selectFrom('programs').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const createProgram = async (
  db: Database | Tx,
  program: Omit<CreateProgram, 'workspaceId' | 'reward'> & { workspaceId: string; createdAt: Date },
) => asProgram(await db.insertInto('programs').values(program).returningAll().executeTakeFirstOrThrow())

/** The caller has locked the program. */
export const changeProgram = async (tx: Tx, before: Program, { change, at }: { change: ChangeProgram; at: Date }) => {
  const row = await tx
    .updateTable('programs')
    .set({ ...change, formerSettings: JSON.stringify(formerSettingsAfter(before, { change, at })) })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return asProgram(row)
}

const formerSettingsAfter = (before: Program, { change, at }: { change: ChangeProgram; at: Date }) => {
  const { attributionModel, cookieWindowDays, codePrecedence, formerSettings } = before
  const isSame =
    (change.attributionModel ?? attributionModel) === attributionModel &&
    (change.cookieWindowDays ?? cookieWindowDays) === cookieWindowDays &&
    (change.codePrecedence ?? codePrecedence) === codePrecedence
  if (isSame) return formerSettings
  return [...formerSettings, { until: at.toISOString(), attributionModel, cookieWindowDays, codePrecedence }]
}

export const listPrograms = async (db: Database, { workspaceIds, ...page }: { workspaceIds: string[] } & Page) => {
  if (workspaceIds.length === 0) return { rows: [], total: 0 }
  const list = await pageOf(
    db.selectFrom('programs').where('workspaceId', '=', anyOfTexts(workspaceIds)).selectAll().orderBy('id'),
    page,
  )
  return { ...list, rows: list.rows.map(asProgram) }
}

const MAX_LISTED = 1000

/** Every program of the instance, for its operator. */
export const listAllPrograms = (db: Database) =>
  db.selectFrom('programs').select(['id', 'name', 'currency', 'workspaceId']).orderBy('id').limit(MAX_LISTED).execute()

/** Names by program ID. */
export const programNames = async (db: Database, ids: number[]) => {
  if (ids.length === 0) return new Map<number, string>()
  const rows = await db.selectFrom('programs').select(['id', 'name']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
