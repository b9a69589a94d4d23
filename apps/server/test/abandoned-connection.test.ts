import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openDatabase, openPool } from '../src/database/connect.ts'
import { createTestDatabase } from './support/postgres.ts'

const pool = openPool(await createTestDatabase(), { max: 1 })
const db = openDatabase(pool)
afterAll(() => pool.end())

test('what a query that was given up has left behind is committed by nobody', async () => {
  await sql`CREATE TABLE kept (what text)`.execute(db)
  const givenUp = db.transaction().execute(async (tx) => {
    await sql`INSERT INTO kept VALUES ('half of a story')`.execute(tx)
    await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    // Longer than this side waits for the query, and for the rollback after it.
    await sql`SELECT pg_sleep(7)`.execute(tx)
  })
  await expect(givenUp).rejects.toThrow('Query read timeout')
  // Until the server is done with it.
  const next = async (): Promise<unknown> =>
    db
      .transaction()
      .execute((tx) => sql`INSERT INTO kept VALUES ('whole')`.execute(tx))
      .catch(next)
  await next()
  const { rows } = await sql<{ what: string }>`SELECT DISTINCT what FROM kept`.execute(db)
  expect(rows).toEqual([{ what: 'whole' }])
}, 60_000)
