import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { APP_ROLE, type Database, openDatabase, openPool } from '../src/database/connect.ts'
import { openPools } from '../src/database/pools.ts'
import { createTestDatabase } from './support/postgres.ts'

const url = await createTestDatabase()
const pool = openPool(url, { max: 1 })
const owner = openDatabase(pool)
const pools = openPools(url, { workers: 1, clickWriters: 1 })
afterAll(() => Promise.all([pool.end(), pools.end()]))

/** A table that both transactions may write to. */
const givenTable = async (name: string) => {
  const table = sql.table(name)
  await sql`CREATE TABLE ${table} (what text)`.execute(owner)
  await sql`GRANT ALL ON ${table} TO ${sql.id(APP_ROLE)}`.execute(owner)
  return table
}

const abandonHalfway = async (db: Database, kept: Awaited<ReturnType<typeof givenTable>>) => {
  const abandoned = db.transaction().execute(async (tx) => {
    await sql`INSERT INTO ${kept} VALUES ('half of an operation')`.execute(tx)
    await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    // Longer than both the query timeout and the rollback timeout of the client.
    await sql`SELECT pg_sleep(7)`.execute(tx)
  })
  await expect(abandoned).rejects.toThrow('Query read timeout')
  // Retries until the server has finished the abandoned query.
  const next = async (): Promise<unknown> =>
    db
      .transaction()
      .execute((tx) => sql`INSERT INTO ${kept} VALUES ('whole')`.execute(tx))
      .catch(next)
  await next()
  const { rows } = await sql<{ what: string }>`SELECT DISTINCT what FROM ${kept}`.execute(db)
  return rows.map(({ what }) => what)
}

test('the next transaction on a connection does not commit the writes of an abandoned query', async () => {
  const [timed, watched] = [await givenTable('timed'), await givenTable('watched')]
  const [byQueryTimer, bySharedTimer] = await Promise.all([
    abandonHalfway(owner, timed),
    abandonHalfway(pools.moneyDb, watched),
  ])
  expect({ byQueryTimer, bySharedTimer }).toEqual({
    byQueryTimer: ['whole'],
    bySharedTimer: ['whole'],
  })
}, 60_000)
