import { afterAll } from 'bun:test'
import type { Config } from '../../src/config/config.ts'
import { type ReusableDatabase, reusableDatabase } from './reusable-database.ts'
import { runTestService, type TestService } from './service.ts'

type Running = Awaited<ReturnType<typeof runTestService>>
type Shared = Running & { settings: string; startedAt: number; database: ReusableDatabase }

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
  return { ...service, settings, startedAt: Date.now(), database: await reusableDatabase(service.forTests.pool) }
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
  await service.database.empty()
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

const isOld = ({ startedAt }: Pick<Shared, 'startedAt'>) => Date.now() - startedAt > MAX_AGE_MS

const stopOld = async () => {
  for (const service of [...kept.values()].filter(isOld)) {
    kept.delete(service.settings)
    await stop(service)
  }
}

/** The service may still be finishing what a test started. */
const untilIdle = async ({ pool }: TestService) => {
  const isBusy = async () => {
    const { rows } = await pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND state <> 'idle' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`)
    return rows.length > 0
  }
  for (let attempt = 0; attempt < 200 && (await isBusy()); attempt++) await Bun.sleep(5)
}

const isReusable = async ({ forTests, database, ...service }: Shared) => {
  const isStopping = await Promise.race([forTests.mustStop.then(() => true), false])
  return !isStopping && !isOld(service) && !kept.has(service.settings) && (await database.isReusable())
}
