import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openDatabase, openPool } from '../src/database/connect.ts'
import { openPools } from '../src/database/pools.ts'
import { isTransientError } from '../src/database/transient-errors.ts'
import { createTestDatabase } from './support/postgres.ts'

const url = await createTestDatabase()
const pools = openPools(url, { workers: 1, clickWriters: 1 })
const ownersPool = openPool(url, { max: 1 })
const owner = openDatabase(ownersPool)
afterAll(async () => {
  await pools.end()
  await ownersPool.end()
})

describe('a prepared statement', () => {
  test('is parsed once per connection', async () => {
    await pools.moneyDb.connection().execute(async (db) => {
      const ask = () => db.selectFrom('partners').select('code').where('id', '=', 1).execute()
      await ask()
      await ask()
      const { rows } = await sql<{ calls: number }>`
        SELECT (generic_plans + custom_plans)::integer AS calls FROM pg_prepared_statements
        WHERE statement LIKE 'select "code" from "partners"%'`.execute(db)
      expect(rows).toEqual([{ calls: 2 }])
    })
  })

  test('whose table a newer version has changed fails once as a transient error, then works', async () => {
    const ask = () => pools.moneyDb.selectFrom('programs').selectAll().where('id', '=', 1).execute()
    await ask()
    await sql`ALTER TABLE programs ADD COLUMN of_a_newer_version text`.execute(owner)
    const error = await ask().catch((error) => error)
    expect(error.message).toContain('cached plan')
    expect(isTransientError(error)).toBe(true)
    expect(await ask()).toEqual([])
  })
})
