import { afterAll, expect, test } from 'bun:test'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { createAccount } from './accounts.ts'
import { createTestDatabase, dropTestDatabase } from './postgres.ts'
import { reusableDatabase } from './reusable-database.ts'

const databaseUrl = await createTestDatabase()
const pool = openPool(databaseUrl, { max: 2, noTimeouts: true })
const database = await reusableDatabase(pool)
afterAll(async () => {
  await pool.end()
  await dropTestDatabase(databaseUrl)
})

const rowsOf = async (table: string) => (await pool.query(`SELECT FROM ${table}`)).rowCount

test('a database that is emptied keeps nothing but its migrations, and IDs go on', async () => {
  const migrations = await rowsOf('kysely_migration')
  const insert = async () => {
    await createAccount(openDatabase(pool))
    const { rows } = await pool.query<{ id: number }>(
      `WITH workspace AS (INSERT INTO workspaces (id, name, slug) VALUES ('one', 'One', 'one') RETURNING id)
        INSERT INTO programs (workspace_id, name, created_at) SELECT id, 'One', now() FROM workspace RETURNING id`,
    )
    return rows[0]?.id ?? 0
  }
  const first = await insert()
  await database.empty()
  for (const table of ['users', 'credentials', 'workspaces', 'programs']) expect(await rowsOf(table)).toBe(0)
  expect(await rowsOf('kysely_migration')).toBe(migrations)
  expect(await insert()).toBeGreaterThan(first)
  expect(await database.isReusable()).toBe(true)
})

test('a database is not reused while a test holds a connection', async () => {
  const client = await pool.connect()
  expect(await database.isReusable()).toBe(false)
  client.release()
  expect(await database.isReusable()).toBe(true)
})

test.each([
  ['a table', 'CREATE TABLE leftover (one int)'],
  ['a column', 'ALTER TABLE programs ADD COLUMN leftover text'],
  ['a privilege', 'REVOKE SELECT ON programs FROM tributary_app'],
  ['a trigger', 'ALTER TABLE programs DISABLE TRIGGER ALL'],
])('a database is not reused after a test has changed %s', async (_, change) => {
  const url = await createTestDatabase()
  const own = openPool(url, { max: 1, noTimeouts: true })
  const changed = await reusableDatabase(own)
  expect(await changed.isReusable()).toBe(true)
  await own.query(change)
  expect(await changed.isReusable()).toBe(false)
  await own.end()
  await dropTestDatabase(url)
})
