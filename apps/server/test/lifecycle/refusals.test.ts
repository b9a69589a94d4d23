import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { givenPostgres, givenPostgresWith } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService, isReady, launchService } from './given-service.ts'
import { processesWith } from './processes.ts'

afterEach(cleanUp)

/** A start that cannot be: exit 1, one sentence for the person at the terminal, no stack, nothing left running. */
const expectRefusal = async (env: Record<string, string>, sentence: RegExp) => {
  const { code, stdout, stderr } = await launchService({ env }).ended()
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stdout).toBe('')
  expect(code).toBe(1)
}

test('a second instance on the same DATA_DIR is refused, and the first is unharmed', async () => {
  const dataDir = givenDataDir()
  const first = await givenService({ env: { DATA_DIR: dataDir } })
  await expectRefusal({ DATA_DIR: dataDir }, /already running/)
  expect(await isReady(first)).toBe(true)
})

test('a DATA_DIR that is a file, or where nothing can be made', async () => {
  const file = join(givenDataDir(), 'file')
  writeFileSync(file, '')
  for (const DATA_DIR of [file, join(file, 'below'), '/proc/nothing'])
    await expectRefusal({ DATA_DIR }, /^DATA_DIR \(.*\) cannot be written/)
})

test('a busy port', async () => {
  const other = Bun.serve({ port: 0, hostname: '0.0.0.0', fetch: () => new Response() })
  const dataDir = givenDataDir()
  await expectRefusal({ DATA_DIR: dataDir, PORT: String(other.port) }, new RegExp(`Port ${other.port}`))
  expect(processesWith(dataDir)).toEqual([])
  await other.stop(true)
})

test('an address that is not ours, or none', async () => {
  for (const HOST of ['999.1.1.1', 'no.such.host.example'])
    await expectRefusal({ DATA_DIR: givenDataDir(), HOST }, /^Nobody can listen on .*Check HOST and PORT\.$/m)
})

test('a DATABASE_URL where nobody answers', async () => {
  await expectRefusal(
    { DATA_DIR: givenDataDir(), DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/db' },
    /^(?!.*hunter2).*DATABASE_URL/,
  )
})

test('a DATABASE_URL with the wrong password', async () => {
  const { url } = await givenPostgres()
  const wrong = url.replace(/:[^:@]+@/, ':hunter2@')
  await expectRefusal({ DATA_DIR: givenDataDir(), DATABASE_URL: wrong }, /^(?!.*hunter2).*password/)
})

test.each([
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
])('a database that would forget what it acknowledged: %s', async (setting) => {
  const url = await givenPostgresWith(setting)
  await expectRefusal({ DATA_DIR: givenDataDir(), DATABASE_URL: url }, new RegExp(setting.replace('=off', '')))
})

test('a database of something else, in which nothing is left behind', async () => {
  const { url } = await givenPostgres()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const theirs of ['CREATE TABLE users (id int)', 'CREATE TABLE kysely_migration (name text)']) {
    await client.query(theirs)
    await client.query("INSERT INTO kysely_migration VALUES ('2024_01_init')").catch(() => {})
    await expectRefusal({ DATA_DIR: givenDataDir(), DATABASE_URL: url }, /tables of something else \(users\)/)
  }
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
  expect(rows.map(({ tablename }) => tablename)).toEqual(['kysely_migration', 'users'])
  await client.end()
})

test('a database that cannot hold every text', async () => {
  const { url } = await givenPostgres()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("CREATE DATABASE old ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
  await client.end()
  const DATABASE_URL = url.replace('localhost/tributary', 'localhost/old')
  await expectRefusal({ DATA_DIR: givenDataDir(), DATABASE_URL }, /LATIN1.*UTF8/)
})

test('a database that was made with other secrets; with its own it starts again', async () => {
  const { url } = await givenPostgres()
  const dataDir = givenDataDir()
  const first = await givenService({ env: { DATA_DIR: dataDir, DATABASE_URL: url } })
  await expectRefusal({ DATA_DIR: givenDataDir(), DATABASE_URL: url }, /secrets\.json is not the one/)
  expect(await isReady(first)).toBe(true)
  first.kill('SIGTERM')
  await first.ended()
  await givenService({ env: { DATA_DIR: dataDir, DATABASE_URL: url } })
})

test('a database that a newer version has migrated', async () => {
  const { url } = await givenPostgres()
  const older = await givenService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL: url } })
  older.kill('SIGTERM')
  await older.ended()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-from-the-future', now()::text)`)
  await client.end()
  await expectRefusal({ DATA_DIR: givenDataDir(), DATABASE_URL: url }, /newer/)
})

test('a setting that is wrong', async () => {
  await expectRefusal({ DATA_DIR: givenDataDir(), PORT: 'abc' }, /^PORT must be/)
})

test('damaged secrets', async () => {
  const dataDir = givenDataDir()
  writeFileSync(join(dataDir, 'secrets.json'), '{')
  await expectRefusal({ DATA_DIR: dataDir }, /secrets\.json is damaged/)
})

test('a database of another version of Postgres', async () => {
  const dataDir = givenDataDir()
  mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '12\n')
  const { sessionSecret } = {
    sessionSecret: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url'),
  }
  const secrets = { sessionSecret, hashKey: sessionSecret, databasePassword: sessionSecret }
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets))
  await expectRefusal({ DATA_DIR: dataDir }, /was made by Postgres 12/)
})
