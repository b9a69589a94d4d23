import { type Insertable, sql } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Inserts any number of rows in one statement. They are sent as one JSON value, because a statement is limited to 65,535
 * parameters.
 */
export const bulkInsert = async <Table extends keyof DB & string>(
  tx: Tx,
  table: Table,
  rows: Insertable<DB[Table]>[],
) => {
  const [first] = rows
  if (!first) return
  const target = sql.raw(snakeCase(table))
  const names = sql.raw(Object.keys(first).map(snakeCase).join(', '))
  const values = JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]))),
  )
  await sql`INSERT INTO ${target} (${names})
    SELECT ${names} FROM jsonb_populate_recordset(NULL::${target}, ${values}::jsonb)`.execute(tx)
}
