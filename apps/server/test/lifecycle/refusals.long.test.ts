import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOldPostgres } from '../../src/database/start/refuse-unsafe.ts'
import { isLongRun, sized } from '../support/size.ts'
import { withDatabase } from '../support/test-cluster.ts'
import { givenDatabase, givenPlainPostgres, queryOn } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, givenService, isReady, launchService, until } from './given-service.ts'
import { refusedStart, startOn } from './given-start.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { processesWith } from './processes.ts'

afterEach(cleanUp)

type Exit = { code: number | null; complaints: string }

/** A failed start: exit 1, one sentence in the log, no stack trace, nothing left running. */
const expectSentence = ({ code, complaints }: Exit, sentence: RegExp) => {
  expect(complaints).toMatch(sentence)
  expect(complaints.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(1)
}

const expectRefusal = async (env: Record<string, string>, sentence: RegExp) =>
  expectSentence(await launchService({ env }).ended(), sentence)

const expectDatabaseRefusal = async (DATABASE_URL: string, sentence: RegExp) =>
  expectSentence(await refusedStart({ DATA_DIR: givenDataDir(), DATABASE_URL }), sentence)

test('a second instance on the same DATA_DIR is refused, and the first is unaffected', async () => {
  const dataDir = await givenPreparedDataDir()
  const first = await givenService({ env: { DATA_DIR: dataDir } })
  await expectRefusal({ DATA_DIR: dataDir }, /already running/)
  expect(await isReady(first)).toBe(true)
})

test('a DATA_DIR that is a file or not writable', async () => {
  const file = join(givenDataDir(), 'file')
  writeFileSync(file, '')
  const wrong = sized({ short: [file, '/proc/nothing'], long: [file, join(file, 'below'), '/proc/nothing'] })
  for (const DATA_DIR of wrong) await expectRefusal({ DATA_DIR }, /^Cannot write to DATA_DIR \(/)
})

test('a busy port', async () => {
  const other = Bun.serve({ port: 0, hostname: '0.0.0.0', fetch: () => new Response() })
  afterwards(() => other.stop(true))
  const dataDir = await givenPreparedDataDir()
  await expectRefusal({ DATA_DIR: dataDir, PORT: String(other.port) }, new RegExp(`Port ${other.port}`))
  expect(processesWith(dataDir)).toEqual([])
})

test('an address that is not local, or not an address', async () => {
  const DATABASE_URL = await givenDatabase()
  for (const HOST of sized({ short: ['999.1.1.1'], long: ['999.1.1.1', 'no.such.host.example'] }))
    await expectRefusal({ DATA_DIR: givenDataDir(), DATABASE_URL, HOST }, /^Cannot listen on .*Check HOST and PORT\.$/m)
})

test('a DATABASE_URL that nothing answers', async () => {
  await expectRefusal(
    { DATA_DIR: givenDataDir(), DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/db' },
    /^(?!.*hunter2).*DATABASE_URL/,
  )
})

test('a DATABASE_URL with the wrong password', async () => {
  const wrong = (await givenDatabase()).replace(/:[^:@]+@/, ':hunter2@')
  await expectDatabaseRefusal(wrong, /^(?!.*hunter2).*password/)
})

test('a database that would lose acknowledged commits', async () => {
  const url = await givenPlainPostgres()
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await queryOn(url, `ALTER SYSTEM SET ${setting} = off`, 'SELECT pg_reload_conf()')
    await until(async () => (await queryOn(url, `SHOW ${setting}`))[0]?.[setting] === 'off')
    await expectDatabaseRefusal(url, new RegExp(setting))
    await queryOn(url, `ALTER SYSTEM RESET ${setting}`, 'SELECT pg_reload_conf()')
    await until(async () => (await queryOn(url, `SHOW ${setting}`))[0]?.[setting] === 'on')
  }
})

test('a database of another application, which stays untouched', async () => {
  const DATABASE_URL = await givenDatabase('template1')
  const refuse = () => expectDatabaseRefusal(DATABASE_URL, /tables of another application \(users\)/)
  await queryOn(DATABASE_URL, 'CREATE TABLE users (id int)')
  await refuse()
  await queryOn(
    DATABASE_URL,
    'CREATE TABLE kysely_migration (name text)',
    "INSERT INTO kysely_migration VALUES ('2024_01_init')",
  )
  await refuse()
  const rows = await queryOn(DATABASE_URL, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
  expect(rows.map(({ tablename }) => tablename)).toEqual(['kysely_migration', 'users'])
})

test('a database that cannot store all of Unicode', async () => {
  const url = await givenDatabase()
  const name = `latin_${process.pid}`
  await queryOn(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`)
  afterwards(async () => void (await queryOn(url, `DROP DATABASE ${name} WITH (FORCE)`)))
  const DATABASE_URL = withDatabase(url, name)
  await expectDatabaseRefusal(DATABASE_URL, /LATIN1.*UTF8/)
})

test('a database created with other secrets; with its own it starts again', async () => {
  const DATABASE_URL = await givenDatabase()
  const dataDir = givenDataDir()
  await startOn({ DATA_DIR: dataDir, DATABASE_URL })
  await expectDatabaseRefusal(DATABASE_URL, /secrets\.json does not belong to this database/)
  await startOn({ DATA_DIR: dataDir, DATABASE_URL })
})

test.skipIf(!isLongRun)('a running service is unaffected by one that its database refuses', async () => {
  const DATABASE_URL = await givenDatabase()
  const first = await givenService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL } })
  await expectDatabaseRefusal(DATABASE_URL, /secrets\.json does not belong to this database/)
  expect(await isReady(first)).toBe(true)
})

test('a Postgres older than the minimum', () => {
  expect(findOldPostgres(130_023)?.message).toMatch(
    /^The database runs on Postgres 13\.23, and Tributary needs 15 or newer\./,
  )
  expect([findOldPostgres(149_999)?.name, findOldPostgres(150_000), findOldPostgres(180_004)]).toEqual([
    'StartupError',
    null,
    null,
  ])
})

test('a database migrated by a newer version', async () => {
  const DATABASE_URL = await givenDatabase()
  await queryOn(
    DATABASE_URL,
    `INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-from-the-future', now()::text)`,
  )
  await expectDatabaseRefusal(DATABASE_URL, /newer/)
})

test('damaged secrets', async () => {
  const dataDir = givenDataDir()
  writeFileSync(join(dataDir, 'secrets.json'), '{')
  await expectRefusal({ DATA_DIR: dataDir }, /secrets\.json is damaged/)
})

test('a database of another Postgres version', async () => {
  const dataDir = givenDataDir()
  mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '12\n')
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const secrets = { sessionSecret: secret, hashKey: secret, databasePassword: secret }
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets))
  await expectRefusal({ DATA_DIR: dataDir }, /was created by Postgres 12/)
})
