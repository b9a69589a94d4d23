import { expect, test } from 'bun:test'
import { betterAuth } from 'better-auth'
import { createAuth } from '../src/accounts/auth.ts'
import { APP_ROLE, openDatabase, openPool } from '../src/database/connect.ts'
import { OWN_MIGRATIONS } from '../src/database/schema/own-migrations.ts'
import { until } from './lifecycle/given-service.ts'
import { givenProgram } from './support/given.ts'
import { asService, createTestDatabase } from './support/postgres.ts'
import { startTestService } from './support/service.ts'

const given = async () => {
  const service = await startTestService()
  const program = await givenProgram(service)
  const click = () => service.call('POST', '/api/v1/track/click', { affiliate_url: program.link.url })
  const refused = async () => (await service.call('GET', '/readyz')).status === 503
  const countClicks = async () => Number((await service.pool.query('SELECT count(*) FROM click_events')).rows[0].count)
  return { ...service, program, click, refused, countClicks }
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
    await program.lead({ customer_key: 'somebody' }),
    await program.sale({ customer_key: 'somebody', amount: 100, invoice_id: 'i' }),
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
  await expect(pool.query(`SET lock_timeout = '50ms'; SELECT pg_advisory_lock(7226548101)`)).rejects.toThrow(
    /lock timeout/,
  )
  await working.end()
  await until(async () => (await locks()).length === 0)
})

test('the account tables match what the account library writes', async () => {
  const pool = openPool(await createTestDatabase(), { max: 1, noTimeouts: true })
  const { options } = createAuth({
    ...{ db: openDatabase(pool), secret: 's'.repeat(40), baseUrl: 'http://localhost:3000' },
    ...{ openSignup: true, onError: () => {} },
  })
  const looking = betterAuth({ ...options, advanced: { ...options.advanced, database: { validateSchema: true } } })
  const { checkSchema } = await looking.$context
  expect(checkSchema).toBeDefined()
  await checkSchema?.()
  await pool.end()
})
