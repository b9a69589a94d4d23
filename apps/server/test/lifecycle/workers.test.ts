import { afterEach, expect, test } from 'bun:test'
import { rateLimits } from '../../src/http/rate-limits.ts'
import { verifyProgram } from '../../src/money/verify-ledger.ts'
import { cleanUp, givenDataDir, isReady, launchService, until } from './given-service.ts'
import { clickOn, givenLoad, givenWorkers, workersOf } from './given-workers.ts'
import { isAlive, processesWith } from './processes.ts'

afterEach(cleanUp)

const countedCalls = (metrics: string) =>
  Number(/tributary_requests_total\{[^}]*track\/click[^}]*\} (\d+)/.exec(metrics)?.[1])

test('several workers answer on one port, count in slots of their own, and are measured together', async () => {
  const service = await givenWorkers(3)
  expect(workersOf(service)).toHaveLength(3)
  for (let sent = 0; sent < 60; sent++) expect(await clickOn(service)).toBe(200)
  const { rows } = await service.pool.query('SELECT slot, clicks FROM daily_counts ORDER BY slot')
  expect(rows.reduce((sum, { clicks }) => sum + Number(clicks), 0)).toBe(60)
  // Sixty connections that all went to one of three would be one chance in 10^28.
  expect(rows.length).toBeGreaterThan(1)
  for (let asked = 0; asked < 5; asked++) expect(countedCalls(await (await service.get('/metrics')).text())).toBe(60)
  expect((await verifyProgram(service.db, { programId: 1, sealedBefore: null })).differences).toEqual([])
})

test('from the first answer of a worker on, nobody is told any more that the service is starting', async () => {
  const env = { DATA_DIR: givenDataDir(), WORKERS: '3', RATE_LIMITS: 'off' }
  const service = launchService({ env })
  await until(() => isReady(service))
  const statuses: number[] = []
  while (!service.said().includes('is running at')) statuses.push((await service.get('/readyz')).status)
  expect(statuses.length).toBeGreaterThan(0)
  expect([...new Set(statuses)]).toEqual([200])
})

test('a port that another service shares among its workers is in use', async () => {
  const first = await givenWorkers(2)
  for (const WORKERS of ['1', '2']) {
    const env = { DATA_DIR: givenDataDir(), PORT: String(first.port), WORKERS }
    const { code, stderr } = await launchService({ env }).ended()
    expect(stderr).toMatch(new RegExp(`^Port ${first.port} is in use\\.[^\n]*\n$`))
    expect(code).toBe(1)
  }
  expect(await isReady(first)).toBe(true)
})

test('a worker that dies is started again, said in one sentence, while the others answer', async () => {
  const service = await givenWorkers(2)
  const [victim] = workersOf(service)
  process.kill(Number(victim?.pid), 'SIGKILL')
  await until(() => workersOf(service).length === 2 && !workersOf(service).some(({ pid }) => pid === victim?.pid))
  // A connection that was kept to the dead worker is reset once.
  await until(() =>
    clickOn(service).then(
      (status) => status === 200,
      () => false,
    ),
  )
  for (let sent = 0; sent < 20; sent++) expect(await clickOn(service)).toBe(200)
  service.kill('SIGTERM')
  const { code, stderr } = await service.ended()
  expect(stderr).toBe(`Worker 1 (process ${victim?.pid}) ended unexpectedly and is being started again.\n`)
  expect(code).toBe(0)
})

test('SIGUSR2 under load replaces every worker without one failed call', async () => {
  const service = await givenWorkers(2)
  const before = workersOf(service).map(({ pid }) => pid)
  const load = givenLoad(service, { callers: 16 })
  service.kill('SIGUSR2')
  await until(() => !before.some(isAlive), 25_000)
  await until(() => workersOf(service).length === 2)
  const answers = await load.stop()
  expect(Object.keys(answers)).toEqual(['200'])
  const { rows } = await service.pool.query('SELECT count(*) FROM click_events')
  expect(Number(rows[0].count)).toBe(Number(answers['200']))
  expect((await verifyProgram(service.db, { programId: 1, sealedBefore: null })).differences).toEqual([])
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s drains all workers, stops Postgres and exits 0', async (signal) => {
  const service = await givenWorkers(2)
  const workers = workersOf(service).map(({ pid }) => pid)
  const load = givenLoad(service, { callers: 4 })
  await until(async () => Number((await service.pool.query('SELECT count(*) FROM click_events')).rows[0].count) > 20)
  if (signal === 'SIGINT') service.pressCtrlC()
  else service.kill(signal)
  expect((await service.ended()).code).toBe(0)
  expect(workers.filter(isAlive)).toEqual([])
  expect(processesWith(service.dataDir)).toEqual([])
  expect(Object.keys(await load.stop())).not.toContain('500')
})

test('workers do not outlive a parent that was killed outright', async () => {
  const service = await givenWorkers(2)
  const workers = workersOf(service).map(({ pid }) => pid)
  service.kill('SIGKILL')
  await until(() => !workers.some(isAlive) && processesWith(service.dataDir).length === 0)
})

test('a caller who is too fast for one worker is too fast for all', () => {
  const limits = Array.from({ length: 2 }, () => rateLimits({ clock: () => new Date(0), enabled: true, workers: 2 }))
  const [first, second] = limits as [ReturnType<typeof rateLimits>, ReturnType<typeof rateLimits>]
  for (let attempt = 0; attempt < 10; attempt++) first.signIn('192.0.2.1')
  second.signIn('192.0.2.1')
  second.hear(first.tell())
  expect(() => second.signIn('192.0.2.1')).toThrow(/More than 10 attempts/)
  second.signIn('192.0.2.2')
})
