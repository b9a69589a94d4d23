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

/** Postgres starts and ends workers as it likes: one that is gone already is as dead as it should be. */
const kill = (...pids: number[]) => {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error
    }
}

/** Straight into the embedded database, past the service. */
const query = (dataDir: string, sql: string) => {
  const password = loadSecrets(dataDir).databasePassword
  return queryOn(embeddedUrls({ folder: join(dataDir, 'postgres'), password }).url, sql)
}

/** On disk, where the data of a real service is. */
const givenStartedBefore = () => givenPreparedDataDir('migrated', { isOnDisk: true })

/** Some connections are always in the middle of something: those break differently from idle ones. */
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
  const askers = [ask(), ask(), ask(), ask()]
  const stop = async () => {
    stopped = true
    await Promise.all(askers)
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

// The same under load, and more, is in acknowledged.test.ts.
test.skipIf(!isLongRun)('after kill -9 of everything at once the next start recovers what was committed', async () => {
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

test('a Postgres that was left behind with its watchdog dead is stopped before the next one starts', async () => {
  const dataDir = await givenStartedBefore()
  const service = await givenOwnerOfPostgres(dataDir)
  const { watchdog, server } = familyOf(service.pid)
  kill(service.pid, watchdog)
  await service.ended()
  expect(isAlive(server)).toBe(true)

  await givenOwnerOfPostgres(dataDir)
  expect(isAlive(server)).toBe(false)
  // The new watchdog and the new server. A process that the server has just begun has its command line for a moment.
  await until(() => processesWith(join(dataDir, 'postgres', 'cluster')).length === 2)
})

test.skipIf(!isLongRun)(
  'a backend that is busy when its server is killed does not keep the next start from working',
  async () => {
    const dataDir = await givenStartedBefore()
    const service = await givenService({ env: { DATA_DIR: dataDir } })
    const busy = query(dataDir, 'SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => [])
    const underWay = `SELECT FROM pg_stat_activity WHERE query LIKE '%1e12%' AND pid <> pg_backend_pid() AND state = 'active'`
    await until(async () => (await query(dataDir, underWay)).length === 1)
    const { watchdog, server } = familyOf(service.pid)
    kill(service.pid, watchdog, server)
    await givenService({ env: { DATA_DIR: dataDir } })
    await busy
  },
)

test('the number of a killed server may by now be a living stranger', async () => {
  const dataDir = await givenStartedBefore()
  const home = join(dataDir, 'postgres')
  const pidFile = join(home, 'cluster', 'postmaster.pid')
  const { uid, gid } = statSync(home)
  // Of the same user, or Postgres would not mistake it for its own kind.
  const stranger = spawn('sleep', ['600'], process.getuid?.() === 0 ? { uid, gid } : {})
  afterwards(() => void stranger.kill())
  // As Postgres writes it: process, data, start, port, socket, address, shared memory, state.
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

// The server's end is in acknowledged.test.ts as well.
test.skipIf(!isLongRun).each(['server', 'watchdog'] as const)(
  'when the %s is killed under traffic, the service answers 503 and recovers by itself',
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
    const { code, stderr } = await service.ended()
    expect(code).toBe(0)
    expect(stderr).toContain('is being restarted')
    expect(processesWith(dataDir)).toEqual([])
  },
)

test('a start that was killed while it made the database leaves nothing that a later start would trust', async () => {
  const dataDir = givenDataDir()
  const service = launchOwnerOfPostgres(dataDir)
  await until(() => processesWith(`${dataDir}/postgres/cluster.new`).length > 0)
  service.kill('SIGKILL')
  await until(() => processesWith(dataDir).length === 0)
  await givenOwnerOfPostgres(dataDir)
})
