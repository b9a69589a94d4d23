import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { OWNER } from '../../src/database/embedded/cluster.ts'
import { SERVICE, servicePassword } from '../../src/database/embedded/urls.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import { ensurePartitions } from '../../src/database/schema/partitions.ts'
import { fastFolder } from './fast-folder.ts'

/** A migrated, empty database that every test database is a copy of. */
export const TEMPLATE = 'template_of_tests'

export const withDatabase = (url: string, database: string) => url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`)

const PASSWORD = 'only-for-tests'

/** Creating or dropping a database scans all of it. */
const CACHE_MB = 128

/** A run opens thousands of connections, and checking a password is slow by design. */
const speedUpSignIn = async (admin: pg.Pool) => {
  await admin.query('SET scram_iterations = 1')
  await admin.query(`ALTER ROLE ${OWNER} PASSWORD '${PASSWORD}'`)
  await admin.query(`ALTER ROLE ${SERVICE} PASSWORD '${servicePassword(PASSWORD)}'`)
}

/**
 * Postgres plans a statement five times before it keeps a plan, and few test connections run one that often. Tests of real
 * processes start their own Postgres, which plans as in production.
 */
const planOnce = async (admin: pg.Pool) => {
  await admin.query('ALTER SYSTEM SET plan_cache_mode = force_generic_plan')
  await admin.query('SELECT pg_reload_conf()')
}

/** One real Postgres for the whole run, however many files and processes use it. */
export const startTestCluster = async () => {
  const dataDir = mkdtempSync(join(fastFolder(), 'tributary-test-'))
  const server = await startEmbeddedPostgres({ dataDir, password: PASSWORD, cacheMb: CACHE_MB })
  const admin = openPool(server.url, { max: 1, noTimeouts: true })
  await speedUpSignIn(admin)
  await planOnce(admin)
  await admin.query(`CREATE DATABASE ${TEMPLATE}`)
  await admin.end()
  const pool = openPool(withDatabase(server.url, TEMPLATE), { max: 2, noTimeouts: true })
  const db = openDatabase(pool)
  await migrate(db)
  await ensurePartitions(db, { since: new Date(), at: new Date() })
  await pool.end()
  const stop = async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: server.url, serviceUrl: server.serviceUrl, stop }
}
