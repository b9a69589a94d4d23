import { afterAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { sql } from 'kysely'
import type { Database } from '../src/database/connect.ts'
import { openPools } from '../src/database/pools.ts'
import { answerInTime } from '../src/http/answer-in-time.ts'
import type { Dependencies, Env } from '../src/http/context.ts'
import { handleErrors } from '../src/http/errors.ts'
import { readJson } from '../src/http/read-json.ts'
import { createLog } from '../src/log.ts'
import { until } from './lifecycle/given-service.ts'
import { givenProgram } from './support/given.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const pools = openPools(service.databaseUrl, { workers: 16, clickWriters: 1 })
afterAll(() => pools.end())

/** A query that takes as long as it may. */
const heavy = (db: Database) => sql`SELECT pg_sleep(2)`.execute(db)
const answerOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'answered',
    (error) => error.code,
  )

describe('money calls have reserved connections', () => {
  test('heavy dashboard queries leave connections for a sale, and too many of them are rejected', async () => {
    const answers = Array.from({ length: 3 + 200 }, () => answerOf(heavy(pools.db)))
    await until(() => pools.all.dashboard.waitingCount === 200)
    expect(await answerOf(heavy(pools.db))).toBe('overloaded')
    expect(pools.all.dashboard.waitingCount).toBe(200) // concurrently: none before it has finished
    expect(await answerOf(sql`SELECT 1`.execute(pools.moneyDb))).toBe('answered')
    // A timeout in the queue is reported as our load, not as a database outage.
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['answered', 'overloaded']))
    expect(await answerOf(sql`SELECT 1`.execute(pools.db))).toBe('answered')
  })

  test('and a sale uses them', async () => {
    const program = await givenProgram(service)
    expect((await program.sale({ customer_key: 'u', amount: 1, invoice_id: 'in-1' })).status).toBe(200)
    const { rows } = await service.pool.query(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tributary money' AND query ILIKE 'commit%'`,
    )
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('every call times out', () => {
  const given = (withinMs: number) => {
    const app = new Hono<Env>()
    handleErrors(app, { log: createLog('silent') } as Dependencies)
    answerInTime(app, '/call', withinMs)
    app.post('/call', async (c) => {
      const { hangs } = await readJson(c)
      if (hangs) await new Promise(() => {})
      return c.json({ success: true })
    })
    return app
  }

  test('one that hangs is answered 503 unavailable with Retry-After', async () => {
    const answer = await given(50).request('/call', { method: 'POST', body: '{"hangs":true}' })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answer.json()).toMatchObject({ success: false, error: { code: 'unavailable' } })
  })

  test('the time that the caller takes to send is not counted', async () => {
    const slowly = new ReadableStream({
      async start(stream) {
        stream.enqueue(new TextEncoder().encode('{'))
        await Bun.sleep(150)
        stream.enqueue(new TextEncoder().encode('}'))
        stream.close()
      },
    })
    expect((await given(100).request('/call', { method: 'POST', body: slowly })).status).toBe(200)
  })

  test('a body that dribbles in is rejected, and its connection closed', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.write('POST /api/v1/track/click HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{')
    const dribble = setInterval(() => socket.write(' '), 500)
    await until(() => socket.closed, 25_000)
    clearInterval(dribble)
    expect(answer).toStartWith('HTTP/1.1 400')
    expect(answer).toContain('"code":"invalid_request"')
    expect((await service.call('GET', '/healthz')).status).toBe(200)
  })
})
