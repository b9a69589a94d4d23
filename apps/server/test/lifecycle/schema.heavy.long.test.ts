import { afterEach, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { OWN_VERSION } from '../../src/database/schema/own-migrations.ts'
import { holdSchemaOf } from '../../src/database/schema/schema-lock.ts'
import { checkOutNextVersion, givenCloneIn, mainOf, NEXT_MIGRATION } from './given-clone.ts'
import { givenDatabase } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, givenService, isReady, launchService, until } from './given-service.ts'
import { clickOn, givenWorkers, workersOf } from './given-workers.ts'

afterEach(cleanUp)

const linesWith = (text: string, words: string) => text.split('\n').filter((line) => line.includes(words))

/** A clone of the next version that can start on a database. */
const givenNextVersion = () => {
  const clone = givenCloneIn(givenDataDir())
  checkOutNextVersion(clone)
  return (env: Record<string, string>) => launchService({ command: mainOf(clone), cwd: clone, env })
}

test.each([
  '1',
  '2',
])('a node with %s worker(s) stops before a newer version migrates its database', async (WORKERS) => {
  const DATABASE_URL = await givenDatabase()
  const [first, second] = [givenDataDir(), givenDataDir()]
  const old = await givenService({ env: { DATA_DIR: first, DATABASE_URL, LOG_LEVEL: 'warn', WORKERS } })
  await until(() => old.stdout().includes('is running at'))
  cpSync(join(first, 'secrets.json'), join(second, 'secrets.json'))
  const next = givenNextVersion()({ DATA_DIR: second, DATABASE_URL })
  const { code, complaints } = await old.ended()
  expect(code).toBe(1)
  expect(linesWith(complaints, NEXT_MIGRATION)).toEqual([
    `A newer version is migrating the database (${NEXT_MIGRATION}). Stopping; start the newer version here too.`,
  ])
  await until(() => isReady(next))
})

test('an older service that misses the notification blocks the migration of a newer version', async () => {
  const DATABASE_URL = await givenDatabase()
  const launchNext = givenNextVersion()
  const env = { DATA_DIR: givenDataDir(), DATABASE_URL }
  const older = new pg.Client({ connectionString: DATABASE_URL })
  await older.connect()
  await older.query(holdSchemaOf(OWN_VERSION))
  afterwards(() => older.end().catch(() => {}))
  const { code, complaints } = await launchNext(env).ended()
  expect([code, linesWith(complaints, 'older')]).toEqual([
    1,
    ['An older Tributary is still using this database, which needs a migration. Stop it and start again.'],
  ])
  await older.end()
  const next = launchNext(env)
  await until(() => isReady(next))
})

test('a worker with newer code does not serve on a schema without its migrations', async () => {
  const clone = givenCloneIn(givenDataDir())
  const service = await givenWorkers(2, { command: mainOf(clone), cwd: clone })
  const [first, second] = workersOf(service)
  checkOutNextVersion(clone)
  const sentence = `The database is missing this version's migration ${NEXT_MIGRATION}. Restart the service to run it.`

  // Replacement: the serving workers continue.
  service.kill('SIGUSR2')
  await until(() => service.complaints().includes('Replacement failed'))
  expect(workersOf(service).map(({ pid }) => pid)).toEqual([Number(first?.pid), Number(second?.pid)])
  expect(await clickOn(service)).toBe('200')

  // Crash: the other worker continues alone, and the reason is logged once.
  process.kill(Number(first?.pid), 'SIGKILL')
  await until(() => linesWith(service.complaints(), sentence).length === 2)
  await until(() =>
    clickOn(service)
      .then((answer) => answer === '200')
      .catch(() => false),
  )

  // Without a worker the service exits, so that a restart runs the migration.
  process.kill(Number(second?.pid), 'SIGKILL')
  const { code, complaints } = await service.ended()
  expect(code).toBe(1)
  expect(linesWith(complaints, sentence)).toHaveLength(3)
  const again = await givenService({ command: mainOf(clone), cwd: clone, env: { DATA_DIR: service.dataDir } })
  expect(await isReady(again)).toBe(true)
})
