import { afterEach, expect, test } from 'bun:test'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { openReports } from '../../src/database/reports.ts'
import { givenPatroni, hasPatroni } from './given-patroni.ts'
import { queryOn } from './given-postgres.ts'
import { BINARIES, type Failure, givenReplicas } from './given-replicas.ts'
import { afterwards, cleanUp, givenDataDir, givenService, isReady, PATIENCE_MS, until } from './given-service.ts'
import { expectEveryCent, givenProgramOn, givenShoppers } from './given-shoppers.ts'

afterEach(cleanUp)

const ROUNDS = Number(process.env.FAILOVERS ?? 1)
const FAILURES: Failure[] = ['killed', 'switched over', 'cut off']
// Skipped where Debian's packages are not installed: the embedded Postgres has no pg_basebackup, and Patroni is not on npm.
const AGENTS = [
  { agent: 'the test', isInstalled: BINARIES !== null, given: givenReplicas },
  { agent: 'Patroni', isInstalled: hasPatroni, given: givenPatroni },
]
const CASES = AGENTS.flatMap((each) => FAILURES.map((failure) => ({ ...each, failure })))

for (const { agent, isInstalled, given, failure } of CASES)
  test.skipIf(!isInstalled)(
    `a primary ${failure} under load, and ${agent} promotes: nothing is lost or doubled`,
    async () => {
      const replicas = await given()
      const env = { DATABASE_URL: replicas.url, RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' }
      const service = await givenService({ env: { ...env, DATA_DIR: givenDataDir() } })
      const program = await givenProgramOn(replicas.url)
      const shoppers = givenShoppers([service], program)
      await shoppers.runPhase()

      for (let round = 1; round <= ROUNDS; round++) {
        const failOver = async () => {
          const promotedAt = await replicas.failOver(failure)
          await until(() => isReady(service))
          return performance.now() - promotedAt
        }
        const backAfterMs = await shoppers.runWhile(failOver())
        console.info(`${failure}, ${agent}, round ${round}: back ${Math.round(backAfterMs)} ms after the promotion`, {
          ...shoppers.refused,
          answered: shoppers.served.get(service),
        })
        await shoppers.runPhase()
        await replicas.rebuild()
      }

      expect(service.isRunning()).toBe(true)
      expect(shoppers.refused.connections).toBe(0)
      await expectEveryCent(program, shoppers)
    },
    (1 + ROUNDS) * 2 * PATIENCE_MS,
  )

test.skipIf(!BINARIES)('reports read the replica, say how old it is, and go on without it', async () => {
  const replicas = await givenReplicas()
  const open = (url: string) => {
    const pool = openPool(url, { max: 2 })
    afterwards(() => pool.end())
    return openDatabase(pool)
  }
  const [db, replica] = [open(replicas.url), open(replicas.standbyUrl())]
  const reports = openReports({ replica, clock: () => new Date() })
  const begin = Date.now()
  await until(async () => (await reports(db)).at.getTime() >= begin)
  expect((await reports(db)).db).toBe(replica)

  const primaryUrl = replicas.url.replace(/@.*?,/, '@')
  await queryOn(primaryUrl, 'CREATE TABLE earlier ()')
  await until(() => queryOn(replicas.standbyUrl(), 'TABLE earlier').then(Boolean, () => false))
  await queryOn(replicas.standbyUrl(), 'SELECT pg_wal_replay_pause()')
  const pausedAt = Date.now()
  await queryOn(primaryUrl, 'CREATE TABLE later ()')
  await until(async () => (await reports(db)).at.getTime() <= pausedAt && Date.now() > pausedAt + 2_000)
  await queryOn(replicas.standbyUrl(), 'SELECT pg_wal_replay_resume()')
  await until(async () => (await reports(db)).at.getTime() > pausedAt)

  await replicas.endStandby()
  await until(async () => (await reports(db)).db === db)
})
