import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { loadSecrets } from '../../src/secrets.ts'
import { givenDatabase, queryOn } from './given-postgres.ts'
import { cleanUp, givenDataDir } from './given-service.ts'
import { runCommand } from './run-command.ts'

afterAll(cleanUp)

const givenBackup = async () => {
  const dataDir = givenDataDir()
  loadSecrets(dataDir)
  const DATABASE_URL = await givenDatabase()
  await queryOn(DATABASE_URL, `INSERT INTO workspaces (id, name, slug) VALUES ('w', 'W', 'w')`)
  await queryOn(DATABASE_URL, 'CREATE TABLE invoices (id serial)')
  const file = join(dataDir, 'one.backup')
  expect((await runCommand('backup', { DATA_DIR: dataDir, DATABASE_URL }, file)).code).toBe(0)
  return file
}

test('a restore replaces our tables and keeps what another application has in the database', async () => {
  const [file, DATABASE_URL] = [await givenBackup(), await givenDatabase()]
  for (const statement of [
    `CREATE TYPE payment_state AS ENUM ('paid', 'open')`,
    'CREATE TABLE orders (id int, state payment_state)',
    `INSERT INTO orders VALUES (1, 'paid')`,
    'CREATE VIEW report AS SELECT id FROM orders',
    `CREATE FUNCTION pay() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    'CREATE SCHEMA shop',
    'CREATE TABLE shop.orders AS SELECT * FROM orders',
  ])
    await queryOn(DATABASE_URL, statement)
  const restore = (...more: string[]) =>
    runCommand('restore', { DATA_DIR: givenDataDir(), DATABASE_URL }, file, ...more)

  for (const force of [[], ['--force']]) {
    expect(await restore(...force)).toMatchObject({ code: 0, stderr: '' })
    expect(
      await queryOn(
        DATABASE_URL,
        'SELECT *, pay() FROM orders JOIN report USING (id) JOIN shop.orders s USING (id, state)',
      ),
    ).toEqual([{ id: 1, state: 'paid', pay: 1 }])
    expect(await queryOn(DATABASE_URL, 'SELECT id FROM workspaces')).toEqual([{ id: 'w' }])
  }

  await queryOn(DATABASE_URL, 'CREATE VIEW shop.customers AS SELECT id FROM workspaces')
  const refused = await restore('--force')
  expect(refused.stderr).toContain(
    'Objects of another application need our tables: view shop.customers depends on table workspaces',
  )
  expect(await queryOn(DATABASE_URL, 'SELECT id FROM shop.customers')).toEqual([{ id: 'w' }])
})
