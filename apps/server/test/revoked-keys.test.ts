import { afterAll, expect, test } from 'bun:test'
import { listenForNotifications } from '../src/database/notifications.ts'
import { cacheKeyedPrograms } from '../src/http/keyed/keyed-programs.ts'
import { KEY_REVOKED } from '../src/programs/api-keys.ts'
import { until } from './lifecycle/given-service.ts'
import { givenProgram, givenUser } from './support/given.ts'
import { givenRole } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const AN_HOUR_MS = 3_600_000
const stops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

/** Another process on the same database; it caches keys for an hour, so only a notification can clear one. */
const givenAnotherProcess = () => {
  const keys = cacheKeyedPrograms({
    db: service.db,
    clock: service.clock.now,
    maxAgeMs: AN_HOUR_MS,
  })
  const news = listenForNotifications(service.databaseUrl, {
    handlers: { [KEY_REVOKED]: keys.forget },
    onReconnect: keys.forgetAll,
  })
  stops.push(news.stop)
  return async (key: string) => (await keys.find(key, () => {})) !== null
}

const listeners = () =>
  service.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'tributary news' AND datname = current_database() AND query ~ '^(LISTEN|SELECT$|SELECT name)'`,
  )

const givenOwnedProgram = async () => {
  const program = await givenProgram(service)
  const owner = await givenUser(service)
  await givenRole(service, program.workspaceId, owner, 'owner')
  const revoke = (key: string) => owner.call('DELETE', `/api/programs/${program.id}/api-keys/${key.split('_')[1]}`)
  return { ...program, revoke }
}

test('a key revoked on one process is rejected on the others as soon as they are notified', async () => {
  const isAccepted = givenAnotherProcess()
  await until(async () => (await listeners()).rows.length >= 2)
  const [program, other] = [await givenOwnedProgram(), await givenOwnedProgram()]
  expect([await isAccepted(program.key), await isAccepted(other.key)]).toEqual([true, true])
  expect((await program.revoke(program.key)).status).toBe(200)
  await until(async () => !(await isAccepted(program.key)))
  expect(await isAccepted(other.key)).toBe(true)
  expect((await program.sale({ customer_key: 'u', amount: 1, invoice_id: 'in-1' })).status).toBe(401)
})

test('a process that missed a notification clears its cache when it listens again', async () => {
  const isAccepted = givenAnotherProcess()
  await until(async () => (await listeners()).rows.length >= 3)
  const program = await givenOwnedProgram()
  expect(await isAccepted(program.key)).toBe(true)
  // In one statement: the notification is sent while no one listens.
  await service.pool.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'tributary news' AND datname = current_database()`,
  )
  await service.db.updateTable('apiKeys').set({ revokedAt: new Date() }).where('programId', '=', program.id).execute()
  await until(async () => !(await isAccepted(program.key)))
  await until(async () => (await listeners()).rows.length >= 3)
})
