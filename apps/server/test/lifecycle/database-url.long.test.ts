import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { isLongRun } from '../support/size.ts'
import { givenDatabase, givenPostgres, queryOn } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, givenService } from './given-service.ts'
import { refusedStart, startOn } from './given-start.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { childrenOf } from './processes.ts'

afterAll(cleanUp)

test('a DATABASE_URL that requires TLS on a server without it fails with one sentence', async () => {
  const DATABASE_URL = `${await givenDatabase()}&sslmode=verify-full`
  expect(await refusedStart({ DATA_DIR: givenDataDir(), DATABASE_URL })).toMatchObject({
    code: 1,
    complaints: expect.stringMatching(
      /^Cannot connect to the database over TLS \(.*\)\. In DATABASE_URL, use sslmode=disable .*\n$/,
    ),
  })
})

describe('an external server', () => {
  let url: string

  beforeAll(async () => {
    url = (await givenPostgres()).url
    // An embedded server has these roles; an external one does not.
    await queryOn(url, 'DROP OWNED BY tributary_service, tributary_app', 'DROP ROLE tributary_service, tributary_app')
  })

  const addressFor = (login: string, database: string) =>
    url.replace(/\/\/[^@]*@localhost\/tributary/, `//${login}@localhost/${database}`)

  /** A database whose owner is not a superuser. */
  const givenOwnDatabase = async (rights: string) => {
    await queryOn(
      url,
      'DROP DATABASE IF EXISTS theirs WITH (FORCE)',
      'DROP ROLE IF EXISTS ordinary, tributary_app',
      `CREATE ROLE ordinary LOGIN PASSWORD 'theirs' ${rights}`,
      'CREATE DATABASE theirs OWNER ordinary',
    )
    return addressFor('ordinary:theirs', 'theirs')
  }

  test('an ordinary user with CREATEROLE is enough', async () => {
    const DATABASE_URL = await givenOwnDatabase('CREATEROLE')
    await startOn({ DATA_DIR: givenDataDir(), DATABASE_URL, DEMO: String(isLongRun) })
    expect(await queryOn(DATABASE_URL, 'SELECT count(*)::int AS programs FROM programs')).toEqual([
      { programs: isLongRun ? 1 : 0 },
    ])
  })

  test('a user without CREATEROLE gets a message about the missing right; creating the role for them is enough', async () => {
    const DATABASE_URL = await givenOwnDatabase('')
    const env = { DATA_DIR: givenDataDir(), DATABASE_URL }
    expect(await refusedStart(env)).toMatchObject({
      code: 1,
      complaints: expect.stringMatching(/^The user in DATABASE_URL cannot .*CREATEROLE.*\n$/),
    })
    await queryOn(url, 'CREATE ROLE tributary_app NOLOGIN', 'GRANT tributary_app TO ordinary')
    await startOn(env)
  })
})

/** The setup that SECURITY.md describes for an external database. */
describe('separate logins', () => {
  let DATA_DIR: string
  let owner: string
  let service: string

  beforeAll(async () => {
    DATA_DIR = givenDataDir()
    const { url } = await givenPostgres()
    await queryOn(
      url,
      "CREATE ROLE app_owner LOGIN PASSWORD 'o'",
      "CREATE ROLE app_service LOGIN PASSWORD 's'",
      'GRANT tributary_app TO app_owner, app_service',
      'CREATE DATABASE apart OWNER app_owner',
    )
    const as = (login: string) => url.replace(/\/\/[^@]*@localhost\/tributary/, `//${login}@localhost/apart`)
    owner = as('app_owner:o')
    service = as('app_service:s')
  })

  test('the service uses that server and starts none, and with DATABASE_OWNER_URL its login cannot change the ledger', async () => {
    const running = await givenService({ env: { DATA_DIR, DATABASE_URL: service, DATABASE_OWNER_URL: owner } })
    expect(childrenOf(running.pid)).toEqual([])
    expect(readdirSync(DATA_DIR).sort()).toEqual(['instance.lock', 'secrets.json'])
    await expect(queryOn(service, 'DELETE FROM ledger_lines')).rejects.toThrow(/permission denied/)
    running.kill('SIGTERM')
    expect(await running.ended()).toMatchObject({ code: 0, complaints: '' })
  })

  test('one login for everything logs a warning, and is rejected if an owner is named as well', async () => {
    expect(await startOn({ DATA_DIR, DATABASE_URL: owner })).toMatch(
      /^DATABASE_URL signs in as app_owner, which can change the ledger\. .*\n$/,
    )
    const env = { DATA_DIR, DATABASE_URL: `${owner}&application_name=x`, DATABASE_OWNER_URL: owner }
    expect(await refusedStart(env)).toMatchObject({
      code: 1,
      complaints: expect.stringMatching(/^The user in DATABASE_URL \(app_owner\) can change the ledger\..*\n$/),
    })
  })
})

test.skipIf(!isLongRun)('an embedded database without the service login gets one on start', async () => {
  const dataDir = await givenPreparedDataDir()
  const start = () => startEmbeddedPostgres({ dataDir, password: loadSecrets(dataDir).databasePassword })
  const before = await start()
  await queryOn(before.url, 'DROP ROLE tributary_service')
  await before.stop()
  const after = await start()
  afterwards(after.stop)
  expect(
    await queryOn(after.serviceUrl, 'SET ROLE tributary_app', 'SELECT count(*)::int AS programs FROM programs'),
  ).toEqual([{ programs: 0 }])
})
