import { afterEach, expect, test } from 'bun:test'
import pg from 'pg'
import { migrateTo } from '../../src/database/schema/migrate.ts'
import { numberOf, OWN_MIGRATIONS, oldestBeside } from '../../src/database/schema/own-migrations.ts'
import { holdSchemaOf, SCHEMA_CHANGING } from '../../src/database/schema/schema-lock.ts'
import { asOwner } from '../../src/database/start/as-owner.ts'
import { isLongRun } from '../support/size.ts'
import { NEXT_MIGRATION } from './given-clone.ts'
import { givenDatabase, queryOn } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, givenService, until } from './given-service.ts'
import { startOn } from './given-start.ts'

afterEach(cleanUp)

// schema.long.test.ts repeats this with a checkout of the next version and its processes.

test('a service that learns of a newer version says so once and exits with an error', async () => {
  const DATABASE_URL = await givenDatabase()
  const service = await givenService({ env: { DATA_DIR: givenDataDir(), DATABASE_URL, LOG_LEVEL: 'warn' } })
  await until(() => service.stdout().includes('is running at'))
  await queryOn(DATABASE_URL, `SELECT pg_notify('${SCHEMA_CHANGING}', '${NEXT_MIGRATION}')`)
  const { code, complaints } = await service.ended()
  expect(code).toBe(1)
  expect(complaints.split('\n').filter((line) => line.includes(NEXT_MIGRATION))).toEqual([
    `A newer version is migrating the database (${NEXT_MIGRATION}). Stopping; start the newer version here too.`,
  ])
})

test.skipIf(!isLongRun)('a migration waits for an older service that missed the notification', async () => {
  const DATABASE_URL = await givenDatabase('template1')
  await asOwner(DATABASE_URL, (db) => migrateTo(db, OWN_MIGRATIONS.slice(0, -1)))
  const older = new pg.Client({ connectionString: DATABASE_URL })
  await older.connect()
  afterwards(() => older.end().catch(() => {}))
  // The newest version that the last migration cannot run beside.
  const oldest = oldestBeside(OWN_MIGRATIONS.at(-1) ?? '')
  await older.query(holdSchemaOf(OWN_MIGRATIONS.map(numberOf).findLast((version) => version < oldest) ?? ''))
  const starting = startOn({ DATA_DIR: givenDataDir(), DATABASE_URL })
  const isWaiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
  await until(async () => (await older.query(isWaiting)).rowCount === 1)
  const hasLast = `SELECT FROM kysely_migration WHERE name = '${OWN_MIGRATIONS.at(-1)}'`
  expect((await older.query(hasLast)).rowCount).toBe(0)
  await older.end()
  await starting
  expect(await queryOn(DATABASE_URL, hasLast)).toHaveLength(1)
})
