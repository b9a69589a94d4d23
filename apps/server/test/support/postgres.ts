import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'

const TEMPLATE = 'template_of_tests'

/** One real Postgres for the whole run, however many files use it. */
const start = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-test-'))
  const server = await startEmbeddedPostgres({ dataDir, password: 'only-for-tests' })
  const admin = openPool(server.url, { max: 2, unhurried: true })
  await admin.query(`CREATE DATABASE ${TEMPLATE}`)
  const pool = openPool(named(server.url, TEMPLATE), { max: 2, unhurried: true })
  const db = openDatabase(pool)
  await migrate(db)
  await ensurePartitions(db, { since: new Date(), at: new Date() })
  await pool.end()
  const stop = async () => {
    await admin.end()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: server.url, serviceUrl: server.serviceUrl, admin, databases: 0, stop }
}

const named = (url: string, database: string) => url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`)

const shared = globalThis as typeof globalThis & { testPostgres?: ReturnType<typeof start> }

export const stopTestPostgres = async () => (await shared.testPostgres)?.stop()

/** The same database through the login that the service has, which owns nothing. */
export const asService = async (databaseUrl: string) => {
  shared.testPostgres ??= start()
  const server = await shared.testPostgres
  return named(server.serviceUrl, new URL(databaseUrl).pathname.slice(1))
}

/** A database of its own for a test file: a copy of the migrated template. */
export const createTestDatabase = async (from = TEMPLATE) => {
  shared.testPostgres ??= start()
  const server = await shared.testPostgres
  const name = `test_${++server.databases}`
  await server.admin.query(`CREATE DATABASE ${name} TEMPLATE ${from}`)
  return named(server.url, name)
}
