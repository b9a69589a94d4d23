import { afterAll, expect } from 'bun:test'
import { openDatabase, openPool } from '../../src/database/connect.ts'
import { useIdRange } from '../../src/database/schema/id-ranges.ts'
import { startService } from '../../src/service.ts'
import { verifyEverything } from '../../src/tracking/payments/verify-payments.ts'
import { expectEveryDecisionAgain } from '../explain/every-decision.ts'
import { expectEveryEvent } from '../outbox/every-event.ts'
import { takeCrossingStatements } from './crossing-statements.ts'
import { DIRECTORY, SHARD } from './places.ts'
import { asService, createTestDatabase, dropTestDatabase } from './postgres.ts'
import { quickPasswords } from './quick-passwords.ts'
import { CONFIG, SECRETS } from './service.ts'

/** A database without the tables of the other place: a statement sent there fails. */
const openPlace = async () => {
  const ownerUrl = await createTestDatabase()
  const pool = openPool(ownerUrl, { max: 2, name: 'test', noTimeouts: true })
  const keepOnly = (others: string[]) => pool.query(`DROP TABLE ${others.join(', ')} CASCADE`)
  return { ownerUrl, databaseUrl: await asService(ownerUrl), pool, owner: openDatabase(pool), keepOnly }
}
type Place = Awaited<ReturnType<typeof openPlace>>

const expectConsistent = async ({ owner }: Place) => {
  await expectEveryDecisionAgain(owner)
  await expectEveryEvent(owner)
  const found: unknown[] = []
  const { differences } = await verifyEverything(owner, { sealedBefore: null, onProgram: (each) => found.push(each) })
  expect({ differences, programs: found.length }).toEqual({ differences: 0, programs: 1 })
}

/** The whole service with a directory and two shards. Workspaces go to the shards in turn. */
export const startWithTwoDatabases = async () => {
  const [directory, ...shards] = [await openPlace(), await openPlace(), await openPlace()] as const
  await useIdRange(shards[1].owner, 1)
  const numbers = new Map<string, number>()
  const numberOf = (workspaceId: string) => {
    const number = numbers.get(workspaceId) ?? numbers.size % shards.length
    numbers.set(workspaceId, number)
    return number
  }
  const service = await startService({
    ...{ config: CONFIG, secrets: SECRETS, passwords: quickPasswords },
    ...{ databaseUrl: directory.databaseUrl, ownerUrl: directory.ownerUrl, places: { shards, numberOf } },
  })
  await directory.keepOnly(SHARD)
  for (const shard of shards) await shard.keepOnly(DIRECTORY)
  afterAll(async () => {
    await service.stop()
    expect(takeCrossingStatements()).toEqual([])
    for (const shard of shards) await expectConsistent(shard)
    for (const { pool, ownerUrl } of [directory, ...shards]) {
      await pool.end()
      await dropTestDatabase(ownerUrl)
    }
  })

  const callOnce = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(service.url + path, {
      ...{ method, headers: { 'content-type': 'application/json', ...headers } },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
  }
  /** Repeats what may be repeated: on a busy machine the database can miss its time limit. */
  const call: typeof callOnce = async (method, path, ...rest) => {
    const answer = await callOnce(method, path, ...rest)
    const mayRepeat = method === 'GET' || path.startsWith('/api/v1/')
    return answer.status === 503 && mayRepeat ? call(method, path, ...rest) : answer
  }
  return { call, directory, shards }
}
