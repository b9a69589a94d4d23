import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** Of each database, per identity column: 33 million numbers in `integer`, 2^43 in `bigint`, which JavaScript still reads exactly. */
const RANGE = { integer: 2 ** 25, bigint: 2 ** 43 } as const
const LAST_DATABASE = 2 ** 6 - 1

type Column = { tableName: string; columnName: string; dataType: keyof typeof RANGE }

/**
 * Gives an empty database its own numbers, so databases of an instance never share one and a workspace can move with
 * its IDs (docs/decisions/0043). The first database, number 0, needs no call.
 */
export const useIdRange = async (owner: Database, database: number) => {
  if (!Number.isInteger(database) || database < 1 || database > LAST_DATABASE)
    throw new RangeError(`a database has a number from 1 to ${LAST_DATABASE}`)
  const { rows } = await sql<Column>`
    SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_identity = 'YES'`.execute(owner)
  for (const { tableName, columnName, dataType } of rows) {
    const range = RANGE[dataType]
    const first = sql.lit(database * range + 1)
    const last = sql.lit((database + 1) * range)
    await sql`ALTER TABLE ${sql.id(tableName)} ALTER COLUMN ${sql.id(columnName)}
      SET MINVALUE ${first} SET MAXVALUE ${last} SET START ${first} RESTART WITH ${first}`.execute(owner)
  }
}
