import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { APP_ROLE, openDatabase, openPool } from '../src/database/connect.ts'
import { openPools } from '../src/database/pools.ts'
import { createTestDatabase } from './support/postgres.ts'

const url = await createTestDatabase()
const pool = openPool(url, { max: 1 })
const owner = openDatabase(pool)
const pools = openPools(url, { workers: 1, clickWriters: 1 })
afterAll(() => Promise.all([pool.end(), pools.end()]))

test.each([
  ['by its own timer', 'timed', owner],
  ['by the one who looks after them all', 'watched', pools.moneyDb],
])(
  'what a query that was given up %s has left behind is committed by nobody',
  async (_, name, db) => {
    const kept = sql.table(name)
    await sql`CREATE TABLE ${kept} (what text)`.execute(owner)
    await sql`GRANT ALL ON ${kept} TO ${sql.id(APP_ROLE)}`.execute(owner)
    const givenUp = db.transaction().execute(async (tx) => {
      await sql`INSERT INTO ${kept} VALUES ('half of a story')`.execute(tx)
      await sql`SET LOCAL statement_timeout = 0`.execute(tx)
      // Longer than this side waits for the query, and for the rollback after it.
      await sql`SELECT pg_sleep(7)`.execute(tx)
    })
    await expect(givenUp).rejects.toThrow('Query read timeout')
    // Until the server is done with it.
    const next = async (): Promise<unknown> =>
      db
        .transaction()
        .execute((tx) => sql`INSERT INTO ${kept} VALUES ('whole')`.execute(tx))
        .catch(next)
    await next()
    const { rows } = await sql<{ what: string }>`SELECT DISTINCT what FROM ${kept}`.execute(db)
    expect(rows).toEqual([{ what: 'whole' }])
  },
  60_000,
)
