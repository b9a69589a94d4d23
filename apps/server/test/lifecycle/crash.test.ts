import { afterEach, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedUrls } from '../../src/database/embedded/urls.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { isLongRun } from '../support/size.ts'
import { queryOn } from './given-postgres.ts'
import { afterwards, cleanUp, givenDataDir, givenService, isReady, type Service, until } from './given-service.ts'
import { givenOwnerOfPostgres, launchOwnerOfPostgres } from './given-start.ts'
import { givenPreparedDataDir } from './prepared-data.ts'
import { familyOf, isAlive, processesWith } from './processes.ts'

afterEach(cleanUp)

/** Postgres starts and ends backends on its own schedule: one that has already exited is fine. */
const kill = (...pids: number[]) => {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error
    }
}

/** Queries the embedded database directly, past the service. */
const query = (dataDir: string, sql: string) => {
  const password = loadSecrets(dataDir).databasePassword
  return queryOn(embeddedUrls({ folder: join(dataDir, 'postgres'), password }).url, sql)
}

/** On disk, like the data of a real service. */
const givenStartedBefore = () => givenPreparedDataDir('migrated', { isOnDisk: true })

/** Keeps some connections busy: those break differently from idle ones. */
const keepAsking = (service: Service) => {
  const statuses = new Set<number>()
  let stopped = false
  const ask = async () => {
    while (!stopped) {
      const response = await service.get('/readyz').catch(() => null)
      statuses.add(response?.status ?? 0)
      await Bun.sleep(5)
    }
  }
  const queries = [ask(), ask(), ask(), ask()]
  const stop = async () => {
    stopped = true
    await Promise.all(queries)
    return statuses
  }
  afterwards(() => void stop())
  return { stop }
}

test('kill -9 of the service takes Postgres down', async () => {
  const dataDir = await givenStartedBefore()
  const service = await givenOwnerOfPostgres(dataDir)
  const { watchdog, server, backends } = familyOf(service.pid)
  service.kill('SIGKILL')
  await until(() => ![watchdog, server, ...backends].some(isAlive))
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down')
})

// acknowledged.long.test.ts covers the same under load, and more.
test.skipIf(!isLongRun)('after kill -9 of everything at once the next start recovers all commits', async () => {
  const dataDir = await givenStartedBefore()
  const service = await givenService({ env: { DATA_DIR: dataDir } })
  await query(dataDir, 'CREATE TABLE kept AS SELECT 42 AS answer')
  const { watchdog, server, backends } = familyOf(service.pid)
  kill(service.pid, watchdog, server, ...backends)
  await service.ended()

  await givenService({ env: { DATA_DIR: dataDir } })
  expect(await query(dataDir, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('automatic recovery in progress')
})

test.skipIf(!isLongRun)('a Postgres left behind by a dead watchdog is stopped before the next one starts', async () => {
  const dataDir = await givenStartedBefore()
  const service = await givenOwnerOfPostgres(dataDir)
  const { watchdog, server } = familyOf(service.pid)
  kill(service.pid, watchdog)
  await service.ended()
  expect(isAlive(server)).toBe(true)

  await givenOwnerOfPostgres(dataDir)
  expect(isAlive(server)).toBe(false)
  // The new watchdog and the new server. A freshly forked backend briefly has the server's command line.
  await until(() => processesWith(join(dataDir, 'postgres', 'cluster')).length === 2)
})

test.skipIf(!isLongRun)('a backend that is busy when its server is killed does not block the next start', async () => {
  const dataDir = await givenStartedBefore()
  const service = await givenService({ env: { DATA_DIR: dataDir } })
  const busy = query(dataDir, 'SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => [])
  const underWay = `SELECT FROM pg_stat_activity WHERE query LIKE '%1e12%' AND pid <> pg_backend_pid() AND state = 'active'`
  await until(async () => (await query(dataDir, underWay)).length === 1)
  const { watchdog, server } = familyOf(service.pid)
  kill(service.pid, watchdog, server)
  await givenService({ env: { DATA_DIR: dataDir } })
  await busy
})

test.skipIf(!isLongRun)('the PID of a killed server may belong to an unrelated process', async () => {
  const dataDir = await givenStartedBefore()
  const home = join(dataDir, 'postgres')
  const pidFile = join(home, 'cluster', 'postmaster.pid')
  const { uid, gid } = statSync(home)
  // Same user, or Postgres would not mistake it for a server.
  const stranger = spawn('sleep', ['600'], process.getuid?.() === 0 ? { uid, gid } : {})
  afterwards(() => void stranger.kill())
  // The postmaster.pid format: process, data, start, port, socket, address, shared memory, state.
  const left = [
    stranger.pid,
    join(home, 'cluster'),
    1_700_000_000,
    5432,
    home,
    '',
    '  1234567         1',
    'ready   ',
    '',
  ]
  writeFileSync(pidFile, left.join('\n'))
  chownSync(pidFile, uid, gid)
  await givenOwnerOfPostgres(dataDir)
  expect(stranger.exitCode).toBeNull()
})

// acknowledged.long.test.ts also kills the server.
test.skipIf(!isLongRun).each(['server', 'watchdog'] as const)(
  'when the %s is killed under traffic, the service answers 503 and recovers automatically',
  async (victim) => {
    const dataDir = await givenStartedBefore()
    const service = await givenService({ env: { DATA_DIR: dataDir } })
    const before = familyOf(service.pid)
    const traffic = keepAsking(service)
    kill(before[victim])
    await until(() => !isAlive(before.server))
    await until(() => isReady(service))
    expect(familyOf(service.pid).server).not.toBe(before.server)
    for (const status of await traffic.stop()) expect([200, 503]).toContain(status)

    service.kill('SIGTERM')
    const { code, complaints } = await service.ended()
    expect(code).toBe(0)
    expect(complaints).toContain('is being restarted')
    expect(processesWith(dataDir)).toEqual([])
  },
)

test.skipIf(!isLongRun)(
  'a start killed while it creates the database leaves nothing that a later start would trust',
  async () => {
    const dataDir = givenDataDir()
    const service = launchOwnerOfPostgres(dataDir)
    await until(() => processesWith(`${dataDir}/postgres/cluster.new`).length > 0)
    service.kill('SIGKILL')
    await until(() => processesWith(dataDir).length === 0)
    await givenOwnerOfPostgres(dataDir)
  },
)
