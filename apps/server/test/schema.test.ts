import { expect, test } from 'bun:test'
import { betterAuth } from 'better-auth'
import { createAuth } from '../src/accounts/auth.ts'
import { APP_ROLE, openDatabase, openPool } from '../src/database/connect.ts'
import {
  findAnnouncedMismatch,
  findSchemaMismatch,
  numberOf,
  OWN_MIGRATIONS,
  OWN_VERSION,
  oldestBeside,
} from '../src/database/schema/own-migrations.ts'
import { until } from './lifecycle/given-service.ts'
import { givenProgram, unique } from './support/given.ts'
import { asService, createTestDatabase } from './support/postgres.ts'
import { startTestService } from './support/service.ts'

const given = async () => {
  const service = await startTestService()
  const program = await givenProgram(service)
  const click = () => service.call('POST', '/api/v1/track/click', { affiliate_url: program.link.url })
  const refused = async () => (await service.call('GET', '/readyz')).status === 503
  const countClicks = async () => Number((await service.pool.query('SELECT count(*) FROM click_events')).rows[0].count)
  const lead = async () => {
    const click_id = (await click()).body.click_id
    return program.lead({ customer_key: unique('customer'), click_id })
  }
  return { ...service, program, click, lead, refused, countClicks }
}

const NEXT = '9999-next-version'
const addMigration = `INSERT INTO kysely_migration (name, timestamp) VALUES ('${NEXT}', now()::text)`
const lastOwn = OWN_MIGRATIONS.at(-1)

test('a service with an unknown migration records nothing and says why in one sentence', async () => {
  const { pool, call, program, click, mustStop, countClicks } = await given()
  expect((await click()).status).toBe(200)
  await pool.query(addMigration)
  await pool.query('NOTIFY schema_changed')
  expect(await mustStop).toBe(
    `The database has migration ${NEXT}, which this version does not know. Stopping; start the newer version here too.`,
  )
  const answers = [
    await call('GET', '/readyz'),
    await click(),
    await program.lead({ customer_key: 'customer-1' }),
    await program.sale({ customer_key: 'customer-1', amount: 100, invoice_id: 'i' }),
  ]
  for (const { status, headers, body } of answers) {
    expect([status, body.error.code]).toEqual([503, 'unavailable'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await countClicks()).toBe(1)
  expect((await pool.query('SELECT count(*) FROM sales')).rows[0].count).toBe(0)
  await pool.query(`DELETE FROM kysely_migration WHERE name = '${NEXT}'`)
})

test('the announcement of a migration stops an older service before the migration runs', async () => {
  const { pool, mustStop, refused } = await given()
  await pool.query(`NOTIFY schema_changing, '${NEXT}'`)
  expect(await mustStop).toStartWith(`A newer version is migrating the database (${NEXT})`)
  await until(refused)
})

test('the announcement of a known migration does not stop a service', async () => {
  const { pool, click } = await given()
  await pool.query(`NOTIFY schema_changing, '${lastOwn}'`)
  await pool.query('NOTIFY schema_changed')
  expect((await click()).status).toBe(200)
})

test('a migration that allows this version to run beside it does not stop a service, or a reconnecting client', async () => {
  const { pool, click, lead } = await given()
  const beside = `9998-next-version.beside-${OWN_VERSION}`
  await pool.query(`NOTIFY schema_changing, '${beside}'`)
  await pool.query(`INSERT INTO kysely_migration (name, timestamp) VALUES ('${beside}', now()::text)`)
  await pool.query('NOTIFY schema_changed')
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await until(async () => (await click()).status === 200)
  await until(async () => (await lead()).status === 200)
  await pool.query(`DELETE FROM kysely_migration WHERE name = '${beside}'`)
})

test.each([
  ['without the ending', '9999-next-version', 'stops'],
  ['for this version', `9999-next.beside-${OWN_VERSION}`, 'serves'],
  ['for an older version too', '9999-next.beside-0001', 'serves'],
  ['for a newer version only', '9999-next.beside-9998', 'stops'],
  ['of another branch, with an old number', `0001-other.beside-0001`, 'stops'],
])('a migration %s', (_, name, then) => {
  expect([findSchemaMismatch([...OWN_MIGRATIONS, name]), findAnnouncedMismatch(name)].map(Boolean)).toEqual(
    then === 'stops' ? [true, true] : [false, false],
  )
})

test('every migration has its own number, and runs beside an earlier one if beside any', () => {
  expect(new Set(OWN_MIGRATIONS.map(numberOf)).size).toBe(OWN_MIGRATIONS.length)
  for (const name of OWN_MIGRATIONS) {
    expect(name).toMatch(/^\d{4}-[a-z0-9-]+(\.beside-\d{4})?$/)
    expect(OWN_MIGRATIONS.map(numberOf)).toContain(oldestBeside(name))
    expect(oldestBeside(name) <= numberOf(name)).toBe(true)
  }
})

test('without a notification, a reconnecting client finds the difference', async () => {
  const { pool, mustStop, refused } = await given()
  await pool.query(`DELETE FROM kysely_migration WHERE name = '${lastOwn}'`)
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  expect(await mustStop).toBe(
    `The database is missing this version's migration ${lastOwn}. Restart the service to run it.`,
  )
  await until(refused)
})

test('an open connection of the service blocks a migration', async () => {
  const { databaseUrl, pool } = await given()
  const working = openPool(await asService(databaseUrl), { max: 1, name: 'working', role: APP_ROLE })
  await working.query('SELECT')
  const locks = async () =>
    (
      await pool.query(
        `SELECT held.mode FROM pg_locks held JOIN pg_stat_activity USING (pid)
         WHERE held.locktype = 'advisory' AND held.granted AND application_name = 'working'`,
      )
    ).rows
  expect(await locks()).toEqual([{ mode: 'ShareLock' }])
  await expect(
    pool.query(`SET lock_timeout = '50ms'; SELECT pg_advisory_lock(722654810, ${Number(OWN_VERSION)})`),
  ).rejects.toThrow(/lock timeout/)
  await working.end()
  await until(async () => (await locks()).length === 0)
})

test('the account tables match what the account library writes', async () => {
  const pool = openPool(await createTestDatabase(), { max: 1, noTimeouts: true })
  const { options } = createAuth({
    db: openDatabase(pool),
    secret: 's'.repeat(40),
    baseUrl: 'http://localhost:3000',
    openSignup: true,
    onError: () => {},
  })
  const looking = betterAuth({ ...options, advanced: { ...options.advanced, database: { validateSchema: true } } })
  const { checkSchema } = await looking.$context
  expect(checkSchema).toBeDefined()
  await checkSchema?.()
  await pool.end()
})
