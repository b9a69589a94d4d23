import { sql } from 'kysely'
import type { Directory } from '../database/connect.ts'
import { joinDirectory, type Tx } from '../database/transaction.ts'

type LinkName = { aff: string; programId: number }

/** Reserves the name of a link for its program. False if another program has it. */
export const reserveLinkName = async (tx: Tx, { aff, programId }: LinkName) => {
  const { rows } = await sql<{ programId: number }>`
    INSERT INTO link_names (aff, program_id) VALUES (${aff}, ${programId})
    ON CONFLICT (aff) DO UPDATE SET aff = excluded.aff RETURNING program_id`.execute(await joinDirectory(tx))
  return rows[0]?.programId === programId
}

/** The program that a link's `aff` leads to. The link itself may not exist yet. */
export const programOfLink = async (directory: Pick<Directory, 'selectFrom'>, aff: string) => {
  const row = await directory.selectFrom('linkNames').select('programId').where('aff', '=', aff).executeTakeFirst()
  return row?.programId ?? null
}

/** The links' names that equal this one in any letter case, with their programs. */
export const similarLinkNames = (directory: Pick<Directory, 'selectFrom'>, name: string) =>
  directory
    .selectFrom('linkNames')
    .select(['aff', 'programId'])
    .where(sql`lower(aff)`, '=', name.toLowerCase())
    .execute()

const MAX_ENTRIES = 50_000

/** A name never leads to another program, so known names stay known. */
export const cacheLinkNames = (directory: Directory) => {
  const known = new Map<string, number>()
  return async (aff: string) => {
    const programId = known.get(aff) ?? (await programOfLink(directory, aff))
    if (programId === null) return null
    if (known.size >= MAX_ENTRIES) known.clear()
    known.set(aff, programId)
    return programId
  }
}
