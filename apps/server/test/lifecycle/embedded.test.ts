import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { afterwards, cleanUp, givenDataDir } from './given-service.ts'
import { copyPreparedData } from './prepared-data.ts'

let dataDir: string
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>
let client: pg.Client

/** Inside a folder that Postgres' user can traverse, so that the data stays where the test put it. */
const givenFolderNamed = (name: string) => {
  const parent = givenDataDir()
  chmodSync(parent, 0o755)
  return join(parent, name)
}

beforeAll(async () => {
  dataDir = givenFolderNamed(`it's "my" data, too`)
  server = await startEmbeddedPostgres({ dataDir, password: 'p@ss/word?&#%' })
  afterwards(server.stop)
  client = new pg.Client({ connectionString: server.url })
  await client.connect()
  afterwards(() => client.end())
})

afterAll(cleanUp)

const setting = async (name: string) =>
  (await client.query('SELECT current_setting($1) AS value', [name])).rows[0].value

test('is a database named tributary in UTF-8 with byte-order collation', async () => {
  const { rows } = await client.query(
    `SELECT current_user, datname, pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, datlocale
     FROM pg_database WHERE datname = current_database()`,
  )
  expect(rows).toEqual([
    { current_user: 'tributary', datname: 'tributary', encoding: 'UTF8', provider: 'b', datlocale: 'C.UTF-8' },
  ])
})

test.each([
  ['fsync', 'on'],
  ['full_page_writes', 'on'],
  ['synchronous_commit', 'on'],
  ['data_checksums', 'on'],
  ['listen_addresses', ''],
  ['password_encryption', 'scram-sha-256'],
  ['jit', 'off'],
  ['TimeZone', 'UTC'],
])('%s is %s', async (name, value) => {
  expect(await setting(name)).toBe(value)
})

test('rejects connections without the password', async () => {
  const stranger = new pg.Client({ connectionString: server.url.replace(/:[^:@]+@/, ':guess@') })
  expect(stranger.connect()).rejects.toThrow(/password authentication failed/)
})

test('only its user can enter the directory, and no file contains the password', async () => {
  expect(server.directory).toBe(join(dataDir, 'postgres', 'cluster'))
  expect(statSync(server.directory).mode & 0o077).toBe(0)
  expect(await setting('data_directory')).toBe(realpathSync(server.directory))
  expect(existsSync(join(server.directory, '..', 'cluster.new'))).toBe(false)
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('p@ss')
})

test('a folder too deep for a Unix socket path is served through a shorter one, which is removed afterwards', async () => {
  const deep = givenFolderNamed('deep'.repeat(20))
  mkdirSync(deep)
  await copyPreparedData(deep)
  const second = await startEmbeddedPostgres({ dataDir: deep, password: loadSecrets(deep).databasePassword })
  const visitor = new pg.Client({ connectionString: second.url })
  await visitor.connect()
  await visitor.end()
  await second.stop()
  expect(second.directory).toBe(join(deep, 'postgres', 'cluster'))
  expect(existsSync(String(new URL(second.url).searchParams.get('host')))).toBe(false)
})
