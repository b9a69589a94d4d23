import { afterEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import pg from 'pg'
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
