import { afterEach, expect, test } from 'bun:test'
import pg from 'pg'
import { asOwner } from '../../src/database/as-owner.ts'
import { migrateTo } from '../../src/database/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/database/own-migrations.ts'
import { SCHEMA_CHANGING } from '../../src/database/schema-lock.ts'
import { NEXT_MIGRATION } from './given-clone.ts'
import { givenDatabase, queryOn } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, givenService, until } from './given-service.ts'
import { refusedStart, startOn } from './given-start.ts'

afterEach(cleanUp)

// With a checkout of the next version, and its processes: schema.long.test.ts.

test('a service that hears of a newer version says so once and ends, so that whoever watches it can see', async () => {
  const DATABASE_URL = await givenDatabase()
  const service = await givenService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL, LOG_LEVEL: 'warn' } })
  await until(() => service.said().includes('is running at'))
  await queryOn(DATABASE_URL, `SELECT pg_notify('${SCHEMA_CHANGING}', '${NEXT_MIGRATION}')`)
  const { code, stderr } = await service.ended()
  expect(code).toBe(1)
  expect(stderr.split('\n').filter((line) => line.includes(NEXT_MIGRATION))).toEqual([
    `A newer version is migrating the database (${NEXT_MIGRATION}), so this one stops. Start the newer version here too.`,
  ])
})

test('an older service that cannot hear of it keeps a newer version from migrating', async () => {
  const DATABASE_URL = await givenDatabase('template1')
  await asOwner(DATABASE_URL, (db) => migrateTo(db, OWN_MIGRATIONS.slice(0, -1)))
  const env = { DATA_DIR: givenDataDir(), DATABASE_URL }
  const older = new pg.Client({ connectionString: DATABASE_URL, application_name: 'tributary housekeeping' })
  await older.connect()
  afterwards(() => older.end().catch(() => {}))
  expect(await refusedStart(env)).toMatchObject({
    code: 1,
    stderr: 'An older Tributary still works on this database, which has to be migrated: stop it and start again.\n',
  })
  await older.end()
  await startOn(env)
})
