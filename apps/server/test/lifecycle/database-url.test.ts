import { afterEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { givenPostgres } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService, launchService } from './given-service.ts'
import { childrenOf } from './processes.ts'

afterEach(cleanUp)

test('with DATABASE_URL the service uses that server and starts none', async () => {
  const { url } = await givenPostgres()
  const dataDir = givenDataDir()
  const service = await givenService({ env: { DATA_DIR: dataDir, DATABASE_URL: url } })
  expect(childrenOf(service.pid)).toEqual([])
  expect(readdirSync(dataDir).sort()).toEqual(['instance.lock', 'secrets.json'])
  service.kill('SIGTERM')
  expect((await service.ended()).code).toBe(0)
})

test('a server without TLS of which DATABASE_URL wants it is one sentence', async () => {
  const { url } = await givenPostgres()
  const refused = launchService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL: `${url}&sslmode=verify-full` } })
  expect(await refused.ended()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The database cannot be reached by TLS \(.*\)\. In DATABASE_URL, sslmode=disable .*\n$/,
    ),
  })
})

/** A database of somebody who is no superuser. */
const givenOwnDatabase = async (rights: string) => {
  const { url } = await givenPostgres()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // An embedded server has these of its own; a server of somebody else has none of them.
  await client.query('DROP OWNED BY tributary_service, tributary_app')
  await client.query('DROP ROLE tributary_service, tributary_app')
  await client.query(`CREATE ROLE somebody LOGIN PASSWORD 'theirs' ${rights}`)
  await client.query('CREATE DATABASE theirs OWNER somebody')
  await client.end()
  return { url, theirs: url.replace(/\/\/[^@]*@localhost\/tributary/, '//somebody:theirs@localhost/theirs') }
}

test('an ordinary user who may create roles is enough', async () => {
  const { theirs } = await givenOwnDatabase('CREATEROLE')
  const service = await givenService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL: theirs, DEMO: 'true' } })
  expect((await service.get('/readyz')).status).toBe(200)
})

test('a user who may not is told what is missing; with the role made for them it is enough', async () => {
  const { url, theirs } = await givenOwnDatabase('')
  const refused = launchService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL: theirs } })
  expect(await refused.ended()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The user in DATABASE_URL may not .*CREATEROLE.*\n$/),
  })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE ROLE tributary_app NOLOGIN')
  await client.query('GRANT tributary_app TO somebody')
  await client.end()
  await givenService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL: theirs } })
})

/** What SECURITY.md has an operator run on an external database. */
const givenSeparateLogins = async () => {
  const { url } = await givenPostgres()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("CREATE ROLE app_owner LOGIN PASSWORD 'o'")
  await client.query("CREATE ROLE app_service LOGIN PASSWORD 's'")
  await client.query('GRANT tributary_app TO app_owner, app_service')
  await client.query('CREATE DATABASE apart OWNER app_owner')
  await client.end()
  const as = (login: string) => url.replace(/\/\/[^@]*@localhost\/tributary/, `//${login}@localhost/apart`)
  return { owner: as('app_owner:o'), service: as('app_service:s') }
}

test('with DATABASE_OWNER_URL requests are served with a login that cannot change the ledger', async () => {
  const { owner, service } = await givenSeparateLogins()
  const env = { DATA_DIR: givenDataDir(), DATABASE_URL: service, DATABASE_OWNER_URL: owner }
  const running = await givenService({ env })
  const client = new pg.Client({ connectionString: service })
  await client.connect()
  await expect(client.query('DELETE FROM ledger_lines')).rejects.toThrow(/permission denied/)
  await client.end()
  running.kill('SIGTERM')
  expect(await running.ended()).toMatchObject({ code: 0, stderr: '' })
})

test('one login for everything is warned of, and refused where an owner is named as well', async () => {
  const { owner } = await givenSeparateLogins()
  const DATA_DIR = givenDataDir()
  const running = await givenService({ env: { DATA_DIR, DATABASE_URL: owner } })
  running.kill('SIGTERM')
  expect((await running.ended()).stderr).toMatch(
    /^DATABASE_URL signs in as app_owner, which may change the ledger\. .*\n$/,
  )
  const env = { DATA_DIR, DATABASE_URL: `${owner}&application_name=x`, DATABASE_OWNER_URL: owner }
  expect(await launchService({ env }).ended()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The user in DATABASE_URL \(app_owner\) may change the ledger\..*\n$/),
  })
})

test('a data folder that was made before there was a separate login gets one', async () => {
  const dataDir = givenDataDir()
  const server = await startEmbeddedPostgres({ dataDir, password: loadSecrets(dataDir).databasePassword })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('DROP ROLE tributary_service')
  await client.end()
  await server.stop()
  const service = await givenService({ env: { DATA_DIR: dataDir } })
  expect((await service.get('/readyz')).status).toBe(200)
})
