import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UNIQUE_NUMBERS } from '../src/database/schema/id-ranges.ts'
import { MIGRATIONS_DIRECTORY } from '../src/database/schema/own-migrations.ts'
import { crosses, tablesInSql } from './support/crossing-statements.ts'
import { DIRECTORY, KEYED_BY_PROGRAM, SHARD } from './support/places.ts'
import { startTestService } from './support/service.ts'
import { sourceFiles } from './support/source-files.ts'

const service = await startTestService()

test('no foreign key leads from the directory to a shard or back', async () => {
  const { rows } = await service.pool.query<{ source: string; target: string }>(`
    SELECT source.relname AS source, target.relname AS target FROM pg_constraint
    JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
    WHERE contype = 'f' AND NOT source.relispartition`)
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter(({ source, target }) => DIRECTORY.includes(source) !== DIRECTORY.includes(target))).toEqual([])
})

/** The ends of statements, and declarations of fragments that statements share. */
const STATEMENTS = /\.execute\w*\(|\n(?=export |const |function |async function )/

test('no statement in the sources names tables of both', () => {
  const crossing = sourceFiles
    .filter(({ path }) => path !== 'database/tables.ts')
    .flatMap(({ path, text }) => text.split(STATEMENTS).map((statement) => ({ path, statement })))
    .filter(({ statement }) => crosses(statement))
  expect(crossing).toEqual([])
  expect(crosses('SELECT FROM sales JOIN users ON true')).toBe(true)
})

/** Files with SQL text on tables of the directory. Their functions take a `Directory`. */
const DIRECTORY_SQL = [
  'accounts/operator.ts',
  'database/monitoring/read-backlogs.ts',
  'partners/link-names.ts',
  'processor/connections/accounts.ts',
  'processor/redact-inbox.ts',
]

test('only the files listed name tables of the directory in SQL text, which no type checks', () => {
  const naming = sourceFiles.filter(({ text }) => tablesInSql(text).some((table) => DIRECTORY.includes(table)))
  expect(naming.map(({ path }) => path).toSorted()).toEqual(DIRECTORY_SQL)
})

test('every generated number of a shard is unique together with its program, or has a range in each database', async () => {
  const { rows } = await service.pool.query<{ column: string; table: string }>(`
    SELECT table_name AS table, table_name || '.' || column_name AS column FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_identity = 'YES' ORDER BY 1`)
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter(({ table }) => !SHARD.includes(table))).toEqual([])
  const alone = rows.filter(({ table }) => !KEYED_BY_PROGRAM.includes(table)).map(({ column }) => column)
  expect(alone).toEqual(UNIQUE_NUMBERS.map((each) => `${each.table}.${each.column}`))
})

const SCHEMA_NAME = /\bpublic\.\w|\bSCHEMA public\b|search_path = public|'public'(::| )|schemaname = 'public'/i

test('no SQL names the schema, so an instance works in any', () => {
  const migrations = readdirSync(MIGRATIONS_DIRECTORY).map((file) => ({
    path: file,
    text: readFileSync(join(MIGRATIONS_DIRECTORY, file), 'utf8'),
  }))
  const naming = [...sourceFiles, ...migrations].filter(({ text }) => SCHEMA_NAME.test(text))
  expect(naming.map(({ path }) => path)).toEqual([])
})
