import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS_DIRECTORY } from '../src/database/schema/own-migrations.ts'
import { KEYED_BY_PROGRAM, OTHER_TABLES } from './support/keyed-tables.ts'
import { startTestService } from './support/service.ts'
import { sourceFiles } from './support/source-files.ts'

const service = await startTestService()

type Key = { table_name: string; constraint_name: string; columns: string[] }

const keys = async () => {
  const { rows } = await service.pool.query<Key>(`
    SELECT class.relname AS table_name, index_class.relname AS constraint_name,
      array_agg(attribute.attname::text ORDER BY position.ordinality) AS columns
    FROM pg_index index
    JOIN pg_class class ON class.oid = index.indrelid
    JOIN pg_class index_class ON index_class.oid = index.indexrelid
    CROSS JOIN LATERAL unnest(index.indkey::smallint[]) WITH ORDINALITY position(attnum, ordinality)
    JOIN pg_attribute attribute ON attribute.attrelid = class.oid AND attribute.attnum = position.attnum
    WHERE index.indisunique AND class.relnamespace = 'public'::regnamespace AND class.relispartition = false
    GROUP BY 1, 2`)
  return rows
}

test('every table is listed, keyed by program or not', async () => {
  const { rows } = await service.pool.query<{ relname: string }>(`
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT LIKE 'kysely%' ORDER BY relname`)
  expect(rows.map(({ relname }) => relname)).toEqual([...KEYED_BY_PROGRAM, ...OTHER_TABLES].toSorted())
})

test('program_id comes first in every primary and unique key of tables that have one', async () => {
  const all = (await keys()).filter(({ table_name }) => KEYED_BY_PROGRAM.includes(table_name))
  expect(all.length).toBeGreaterThanOrEqual(KEYED_BY_PROGRAM.length)
  expect(all.filter(({ columns }) => columns[0] !== 'program_id')).toEqual([])
  for (const table of KEYED_BY_PROGRAM) expect(all.some(({ table_name }) => table_name === table)).toBe(true)
})

test('program_id is in every foreign key between them', async () => {
  const { rows } = await service.pool.query<{ source: string; target: string; columns: string[] }>(`
    SELECT source.relname AS source, target.relname AS target,
      (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = source.oid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
    WHERE contype = 'f' AND NOT source.relispartition`)
  const targets = ['programs', ...KEYED_BY_PROGRAM]
  const ofPrograms = rows.filter(({ source, target }) => KEYED_BY_PROGRAM.includes(source) && targets.includes(target))
  expect(ofPrograms.length).toBeGreaterThan(3)
  expect(ofPrograms.filter(({ columns }) => !columns.includes('program_id'))).toEqual([])
})

test('there are no triggers', async () => {
  const { rows } = await service.pool.query('SELECT tgname FROM pg_trigger WHERE NOT tgisinternal')
  expect(rows).toEqual([])
})

test('links, partners, programs and keys have no counter columns', async () => {
  const { rows } = await service.pool.query(`
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_name IN ('programs', 'partners', 'referral_links', 'api_keys') AND column_name IN ('clicks', 'leads', 'sales', 'last_clicked')`)
  expect(rows).toEqual([])
})

test('every money column is an integer', async () => {
  const { rows } = await service.pool.query(`
    SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'public' AND (data_type IN ('real', 'double precision', 'money') OR (column_name LIKE '%cents' AND data_type <> 'bigint'))`)
  expect(rows).toEqual([])
})

test('no index on customer records covers a column that clicks or leads update, so updates stay HOT', async () => {
  const { rows } = await service.pool.query(`SELECT indexdef FROM pg_indexes WHERE tablename = 'customers'`)
  expect(rows).toEqual([
    { indexdef: 'CREATE UNIQUE INDEX customers_pkey ON public.customers USING btree (program_id, click_id)' },
  ])
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
