import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS_DIRECTORY } from '../src/database/schema/own-migrations.ts'
import { givenService } from './support/shared-service.ts'
import { sourceFiles } from './support/source-files.ts'

const service = await givenService()

/** Tables whose keys do not begin with `program_id`, and why. All others must. */
const OTHER_KEYS = [
  'programs',
  // A link may exist before it has a program, and `aff` is unique across programs.
  'referral_links',
  // Which of a workspace's programs stores its processor events.
  'processor_home_programs',
  // Also holds workspace entries.
  'audit_entries',
  // Who signs in.
  'users',
  'sessions',
  'credentials',
  'verifications',
  'two_factors',
  'workspaces',
  'members',
  'invitations',
  // They lead to a program that the caller does not name.
  'api_keys',
  'partner_codes',
  'processor_accounts',
  // Events of accounts that no workspace has connected.
  'processor_unassigned_events',
  // One row for the instance.
  'demo_seed',
  'instance_secrets',
  'readiness',
  'click_retention',
]

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

const allTables = async () => {
  const { rows } = await service.pool.query<{ relname: string }>(`
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT LIKE 'kysely%' ORDER BY relname`)
  return rows.map(({ relname }) => relname)
}
const keyedByProgram = async () => (await allTables()).filter((table) => !OTHER_KEYS.includes(table))

test('program_id comes first in every primary and unique key of every table, except a few with a reason', async () => {
  const tables = await allTables()
  expect(OTHER_KEYS.filter((table) => !tables.includes(table))).toEqual([])
  const all = await keys()
  const wrong = (await keyedByProgram()).flatMap((table) => {
    const own = all.filter(({ table_name }) => table_name === table)
    if (own.length > 0 && own.every(({ columns }) => columns[0] === 'program_id')) return []
    const names = own.map(({ constraint_name, columns }) => `${constraint_name} (${columns.join(', ')})`)
    return `${table} must have keys that begin with program_id, or a line with the reason in OTHER_KEYS of catalogue.test.ts. It has: ${names.join(', ') || 'none'}`
  })
  expect(wrong).toEqual([])
})

test('program_id is in every foreign key between them', async () => {
  const { rows } = await service.pool.query<{ source: string; target: string; columns: string[] }>(`
    SELECT source.relname AS source, target.relname AS target,
      (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = source.oid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
    WHERE contype = 'f' AND NOT source.relispartition`)
  const keyed = await keyedByProgram()
  const targets = ['programs', ...keyed]
  const ofPrograms = rows.filter(({ source, target }) => keyed.includes(source) && targets.includes(target))
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
