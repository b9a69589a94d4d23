import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** Of each database: 33 million numbers in `integer`, 2^43 in `bigint`, which JavaScript still reads exactly. */
const RANGE = { integer: 2 ** 25, bigint: 2 ** 43 } as const
const LAST_DATABASE = 2 ** 6 - 1

/** Numbers that are unique on their own. All others are unique together with their program. */
export const UNIQUE_NUMBERS = [
  { table: 'audit_entries', column: 'id', type: 'bigint' },
  { table: 'programs', column: 'id', type: 'integer' },
  { table: 'referral_links', column: 'id', type: 'integer' },
] as const

/**
 * Gives an empty database its own range of these numbers, so the databases of an instance never share one
 * (docs/decisions/0043). The first database, number 0, needs no call.
 */
export const useIdRange = async (owner: Database, database: number) => {
  if (!Number.isInteger(database) || database < 1 || database > LAST_DATABASE)
    throw new RangeError(`a database has a number from 1 to ${LAST_DATABASE}`)
  for (const { table, column, type } of UNIQUE_NUMBERS) {
    const first = sql.lit(database * RANGE[type] + 1)
    const last = sql.lit((database + 1) * RANGE[type])
    await sql`ALTER TABLE ${sql.table(table)} ALTER COLUMN ${sql.id(column)}
      SET MINVALUE ${first} SET MAXVALUE ${last} SET START ${first} RESTART WITH ${first}`.execute(owner)
  }
}

/** The number of the database that gave a program its ID. */
export const databaseOfProgram = (programId: number) => Math.floor((programId - 1) / RANGE.integer)
