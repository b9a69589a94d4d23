import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openDatabase, openPool } from '../src/database/connect.ts'
import { analyzeTables, findTablesToAnalyze } from '../src/database/schema/table-statistics.ts'
import { createTestDatabase } from './support/postgres.ts'

const pool = openPool(await createTestDatabase(), { max: 1 })
const owner = openDatabase(pool)
afterAll(() => pool.end())

test('a table that has grown since its last ANALYZE is analyzed, once', async () => {
  await sql`CREATE TABLE grown AS SELECT n FROM generate_series(1, 150) n`.execute(owner)
  await sql`SELECT pg_stat_force_next_flush()`.execute(owner)
  expect(await findTablesToAnalyze(owner)).toEqual(['grown'])
  await analyzeTables(owner, ['grown'])
  expect(await findTablesToAnalyze(owner)).toEqual([])
  const { rows } = await sql`SELECT reltuples FROM pg_class WHERE relname = 'grown'`.execute(owner)
  expect(rows).toEqual([{ reltuples: 150 }])
})
