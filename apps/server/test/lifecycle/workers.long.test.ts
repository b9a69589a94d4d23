import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { rateLimits } from '../../src/http/rate-limits.ts'
import { startWithWorkers } from '../../src/workers/start-with-workers.ts'
import { SECRETS } from '../support/service.ts'
import { isLongRun, sized } from '../support/size.ts'
import { verifyProgram } from '../support/verify-program.ts'
import { givenDatabase } from './given-postgres.ts'
import { cleanUp, givenDataDir, isReady, launchService, until } from './given-service.ts'
import { clickOn, givenLoad, givenWorkers, REFUSED, workersOf } from './given-workers.ts'
import { isAlive, isOrdinary, processesWith } from './processes.ts'

const COUNT = sized({ short: 2, long: 3 })

type Workers = Awaited<ReturnType<typeof givenWorkers>>

const countedCalls = (metrics: string) =>
  Number(/tributary_requests_total\{[^}]*track\/click",status="200"\} (\d+)/.exec(metrics)?.[1])
const scrape = async (service: Workers) => countedCalls(await (await service.get('/metrics')).text())

const pidsOf = (service: Workers) => workersOf(service).map(({ pid }) => pid)
const expectNoDifferences = async ({ db }: Workers) =>
  expect((await verifyProgram(db, { programId: 1, sealedBefore: null })).differences).toEqual([])

/** One service, which all of these tests use in order. */
describe('several workers', () => {
  let service: Workers

  beforeAll(async () => {
    service = await givenWorkers(COUNT)
  })
  afterAll(cleanUp)

  test('answer as ready from the first response of the first worker', () => {
    expect([...service.statusesWhileStarting]).toEqual([200])
  })

  test.skipIf(process.getuid?.() !== 0)('all drop root', async () => {
    await until(() => pidsOf(service).every(isOrdinary))
  })

  test('share one port, count in separate slots, and are measured together', async () => {
    expect(workersOf(service)).toHaveLength(COUNT)
    for (let sent = 0; sent < 60; sent++) expect(await clickOn(service)).toBe('200')
    const { rows } = await service.pool.query('SELECT slot, clicks FROM daily_counts ORDER BY slot')
    expect(rows.reduce((sum, { clicks }) => sum + Number(clicks), 0)).toBe(60)
    // The chance that all of sixty connections reach the same of two workers is 1 in 10^18.
    expect(rows.length).toBeGreaterThan(1)
    for (let attempt = 0; attempt < 5; attempt++) expect(await scrape(service)).toBe(60)
    await expectNoDifferences(service)
  })

  test('hold their port: another process is refused before it needs a database', async () => {
    const config = readConfig({ DATA_DIR: givenDataDir(), PORT: String(service.port), WORKERS: '2' })
    const options = { config, secrets: SECRETS, databaseUrl: '', ownerUrl: '' }
    await expect(startWithWorkers(options)).rejects.toThrow(new RegExp(`^Port ${service.port} is in use\\.`))
    expect(await isReady(service)).toBe(true)
  })

  test.skipIf(!isLongRun).each(['1', '2'])(
    'hold their port against another service with %s worker(s)',
    async (WORKERS) => {
      const DATABASE_URL = await givenDatabase()
      const env = { DATA_DIR: givenDataDir(), DATABASE_URL, PORT: String(service.port), WORKERS }
      const { code, complaints } = await launchService({ env }).ended()
      expect(complaints).toMatch(new RegExp(`^Port ${service.port} is in use\\.[^\n]*\n$`))
      expect(code).toBe(1)
      expect(await isReady(service)).toBe(true)
    },
  )

  test.skipIf(!isLongRun)('are restarted when they die, with one sentence, while the others answer', async () => {
    const victim = pidsOf(service)[0] ?? 0
    process.kill(victim, 'SIGKILL')
    await until(() => workersOf(service).length === COUNT && !pidsOf(service).includes(victim))
    // A kept-alive connection to the dead worker is reset once.
    await until(() =>
      clickOn(service).then(
        (answer) => answer === '200',
        () => false,
      ),
    )
    for (let sent = 0; sent < 20; sent++) expect(await clickOn(service)).toBe('200')
    // The dead worker's calls are still counted: a lower number would look like a restart of the service.
    expect(await scrape(service)).toBeGreaterThanOrEqual(80)
    expect(service.complaints()).toBe(`Worker 1 (process ${victim}) exited unexpectedly and is being restarted.\n`)
  })

  test.skipIf(!isLongRun)('are all replaced on SIGUSR2 under load without a failed call', async () => {
    const before = pidsOf(service)
    const clicksBefore = await service.countClicks()
    const counted = [await scrape(service)]
    const load = givenLoad(service, { callers: sized({ short: 4, long: 16 }) })
    service.kill('SIGUSR2')
    await until(async () => {
      counted.push(await scrape(service))
      return !before.some(isAlive)
    })
    await until(() => service.stdout().includes('All workers have been replaced.'))
    expect(workersOf(service)).toHaveLength(COUNT)
    const { '200': acknowledged = 0, [REFUSED]: _, ...others } = await load.stop()
    expect(others).toEqual({})
    expect(acknowledged).toBeGreaterThan(0)
    expect(await service.countClicks()).toBe(clicksBefore + acknowledged)
    expect(counted).toEqual(counted.toSorted((a, b) => a - b))
    expect(await scrape(service)).toBe(Number(counted[0]) + acknowledged)
    await expectNoDifferences(service)
  })

  test.skipIf(!isLongRun)('are each replaced once when one of them has just died', async () => {
    process.kill(pidsOf(service)[0] ?? 0, 'SIGKILL')
    const rolled = () => service.stdout().split('All workers have been replaced.').length - 1
    const before = rolled()
    service.kill('SIGUSR2')
    await until(() => rolled() > before)
    expect(workersOf(service)).toHaveLength(COUNT)
  })

  test('drain on SIGTERM, Postgres stops and the service exits 0', () => expectDrain(service, 'SIGTERM'))
})

const expectDrain = async (service: Workers, signal: 'SIGTERM' | 'SIGINT') => {
  const workers = pidsOf(service)
  const load = givenLoad(service, { callers: 4 })
  await until(() => load.answered('200') > 20)
  if (signal === 'SIGINT') service.pressCtrlC()
  else service.kill(signal)
  expect((await service.ended()).code).toBe(0)
  expect(workers.filter(isAlive)).toEqual([])
  expect(processesWith(service.dataDir)).toEqual([])
  expect(Object.keys(await load.stop()).filter((answer) => answer.startsWith('500'))).toEqual([])
}

describe.skipIf(!isLongRun)('two workers', () => {
  afterEach(cleanUp)

  test('also drain on Ctrl-C', async () => expectDrain(await givenWorkers(2), 'SIGINT'))

  test('do not outlive a killed parent', async () => {
    const service = await givenWorkers(2)
    const workers = pidsOf(service)
    service.kill('SIGKILL')
    await until(() => !workers.some(isAlive) && processesWith(service.dataDir).length === 0)
  })
})

test('a caller over the rate limit of one worker is over the limit of all', () => {
  const limits = Array.from({ length: 2 }, () => rateLimits({ clock: () => new Date(0), enabled: true, workers: 2 }))
  const [first, second] = limits as [ReturnType<typeof rateLimits>, ReturnType<typeof rateLimits>]
  for (let attempt = 0; attempt < 10; attempt++) first.signIn('192.0.2.1')
  second.signIn('192.0.2.1')
  second.addCounts(first.takeCounts())
  expect(() => second.signIn('192.0.2.1')).toThrow(/More than 10 attempts/)
  second.signIn('192.0.2.2')
})
