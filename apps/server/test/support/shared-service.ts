import { afterAll } from 'bun:test'
import type pg from 'pg'
import type { Config } from '../../src/config/config.ts'
import { runTestService, type TestService } from './service.ts'

type Running = Awaited<ReturnType<typeof runTestService>>
type Shared = Running & { settings: string; startedAt: number; schema: string; tables: string[] }

const shared = globalThis as typeof globalThis & { keptServices?: Map<string, Shared>; freePorts?: Map<string, number> }
/** The services that no file uses now, by their settings. The next file in this process takes them. */
shared.keptServices ??= new Map()
const kept = shared.keptServices
/** A new service takes the port of the last one with these settings: browsers keep compiled code by address. */
shared.freePorts ??= new Map()
const ports = shared.freePorts

/** Younger than its timers, which a service of one's own would not see either (housekeeping.ts). */
const MAX_AGE_MS = 12_000

/**
 * The whole service with an empty database. Files of one process use the same one, one after the other: a file leaves
 * nothing behind, except that IDs go on. `startTestService` starts a separate one, for tests that read what a service counts
 * or remembers since its start, and for settings that no other file has.
 */
export const givenService = async (config: Partial<Config> = {}): Promise<TestService> => {
  const settings = JSON.stringify(config)
  const service = take(kept, settings) ?? (await start(config, settings))
  afterAll(() => release(service))
  return service.forTests
}

const take = <Value>(from: Map<string, Value>, settings: string) => {
  const value = from.get(settings)
  from.delete(settings)
  return value
}

const start = async (config: Partial<Config>, settings: string): Promise<Shared> => {
  const port = take(ports, settings) ?? 0
  // Another process may have taken it meanwhile.
  const service = await runTestService({ ...config, port }).catch(() => runTestService(config))
  const { pool } = service.forTests
  await separateIds(pool)
  const startedAt = Date.now()
  return { ...service, settings, startedAt, schema: await readSchema(pool), tables: await findTables(pool) }
}

const stop = async ({ settings, ...service }: Shared) => {
  await service.stop()
  ports.set(settings, Number(new URL(service.forTests.url).port))
}

/** A file is checked like any other. What cannot be emptied is stopped, and the next file starts another. */
const release = async (service: Shared) => {
  await stopOld()
  if (!(await isVerified(service))) return service.end()
  if (!(await isReusable(service))) return stop(service)
  await empty(service)
  service.forTests.clock.reset()
  kept.set(service.settings, service)
}

/** While the service runs, one of its timers can come between two reads, so only a failure after its end counts. */
const isVerified = async ({ forTests, verify }: Shared) => {
  await untilIdle(forTests)
  return verify().then(
    () => true,
    () => false,
  )
}

const isOld = ({ startedAt }: Shared) => Date.now() - startedAt > MAX_AGE_MS

const stopOld = async () => {
  for (const service of [...kept.values()].filter(isOld)) {
    kept.delete(service.settings)
    await stop(service)
  }
}

/** So that no test expects the ID 1, or takes the ID of one table for that of another. All have as many digits. */
const separateIds = (pool: pg.Pool) =>
  pool.query(`SELECT setval(oid, 100000 + (random() * 800000)::bigint) FROM pg_class WHERE relkind = 'S'`)

/** The service may still be finishing what a test started. */
const untilIdle = async ({ pool }: TestService) => {
  const isBusy = async () => {
    const { rows } = await pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND state <> 'idle' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`)
    return rows.length > 0
  }
  for (let attempt = 0; attempt < 200 && (await isBusy()); attempt++) await Bun.sleep(5)
}

/** A test that changes the schema, stops the service or keeps a connection makes it useless for others. */
const isReusable = async (service: Shared) => {
  const { pool, mustStop } = service.forTests
  const isStopping = await Promise.race([mustStop.then(() => true), false])
  const isClean = pool.idleCount === pool.totalCount && (await readSchema(pool)) === service.schema
  return isClean && !isStopping && !isOld(service) && !kept.has(service.settings)
}

/** Every change of a table, trigger, function, privilege or role changes this. */
const readSchema = async (pool: pg.Pool) => {
  const tables = ['pg_class', 'pg_attribute', 'pg_attrdef', 'pg_constraint', 'pg_trigger', 'pg_proc', 'pg_policy']
  const states = [...tables, 'pg_event_trigger', 'pg_db_role_setting', 'pg_authid'].map(
    (catalog) => `(SELECT count(*) || ' ' || max(xmin::text::bigint) FROM ${catalog})`,
  )
  const { rows } = await pool.query({ name: 'schema', text: `SELECT concat_ws(',', ${states.join()}) AS state` })
  return rows[0].state as string
}

/** All but those that a start has filled. */
const findTables = async (pool: pg.Pool) => {
  const { rows } = await pool.query<{ name: string }>(`SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`)
  const tables = rows.map(({ name }) => name)
  const filled = await findFilled(pool, tables)
  return tables.filter((name) => !filled.includes(name))
}

const findFilled = async (pool: pg.Pool, tables: string[]) => {
  const each = tables.map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`)
  const text = each.join(' UNION ALL ')
  const { rows } = await pool.query<{ name: string }>({ name: `filled ${tables.length}`, text })
  return rows.map(({ name }) => name)
}

/** Deleting rows keeps the plans of open connections, which truncating would not. A replica fires no triggers. */
const empty = async ({ tables, forTests: { pool } }: Shared) => {
  const filled = await findFilled(pool, tables)
  const deletions = filled.map((name) => `DELETE FROM ${name}`)
  await pool.query(['BEGIN', 'SET LOCAL session_replication_role = replica', ...deletions, 'COMMIT'].join(';'))
}
