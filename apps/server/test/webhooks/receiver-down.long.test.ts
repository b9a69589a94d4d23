import { expect, test } from 'bun:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assignSequences } from '../../src/outbox/sequence.ts'
import { DELIVERIES_DUE } from '../../src/webhooks/announce-due.ts'
import { FAN_OUT } from '../../src/webhooks/fan-out.ts'
import { bearer } from '../outbox/given-events.ts'
import { unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { isLongRun, sized } from '../support/size.ts'
import { endpointOf, givenEndpoint, givenOwner, LOCAL, type OwnedProgram, until, verified } from './given-webhooks.ts'

const service = await givenService(LOCAL)
const { pool, db, clock } = service

const HOUR_MS = 3_600_000
const ROUNDS = sized({ short: 2, long: 24 })
const ROUND_MS = (24 * HOUR_MS) / ROUNDS
/** By then the last retry of everything that failed during the day is due. */
const LATEST_MS = 24 * HOUR_MS

/** A merchant's server that breaks every connection while it is down, and drops webhook-ids that it knows. */
const givenFragileReceiver = async () => {
  const known = new Set<string>()
  const applied: { headers: Record<string, string>; text: string; path: string }[] = []
  let isDown = false
  let broken = 0
  const server = createServer(async (request, response) => {
    if (isDown) {
      broken++
      return request.socket.destroy()
    }
    let text = ''
    for await (const part of request) text += part
    const headers = request.headers as Record<string, string>
    const id = headers['webhook-id'] ?? ''
    if (!known.has(id)) applied.push({ headers, text, path: '' })
    known.add(id)
    response.end('ok')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    applied,
    broken: () => broken,
    setDown: (down: boolean) => {
      isDown = down
    },
    stop: () => server.close(),
  }
}

/** Deliveries that are being sent or should be. What follows the first of an ordered endpoint waits for it. */
const BUSY = `SELECT count(*)::integer AS busy FROM webhook_endpoints endpoint
  JOIN webhook_deliveries delivery ON (delivery.program_id, delivery.endpoint_id) = (endpoint.program_id, endpoint.id)
  WHERE endpoint.program_id = $1 AND endpoint.enabled AND delivery.state = 'pending' AND (delivery.lease IS NOT NULL
    OR delivery.next_attempt_at <= $2 AND (NOT endpoint.ordered OR delivery.sequence = (
      SELECT min(sequence) FROM webhook_deliveries first WHERE first.state = 'pending'
        AND (first.program_id, first.endpoint_id) = (endpoint.program_id, endpoint.id))))`

const untilIdle = ({ id }: OwnedProgram) =>
  until(async () => (await pool.query(BUSY, [id, clock.now()])).rows[0].busy === 0)

/** Moves the time forward in steps in which retries become due, as they do during a real day. */
const pass = async (program: OwnedProgram, milliseconds: number) => {
  const end = clock.now().getTime() + milliseconds
  for (;;) {
    await untilIdle(program)
    const { rows } = await pool.query(
      `SELECT min(next_attempt_at) AS next FROM webhook_deliveries WHERE program_id = $1 AND state = 'pending' AND next_attempt_at > $2`,
      [program.id, clock.now()],
    )
    const next = Math.min(rows[0].next?.getTime() ?? end, end)
    clock.advance(Math.max(0, next - clock.now().getTime()) + 1)
    if (next === end) return
    await pool.query(`SELECT pg_notify('${DELIVERIES_DUE}', '')`)
  }
}

type Wrong = { afterEachRound?: string; beforehand?: string }

/** A day of sales while the receiver is down, then the time until everything has been tried again. */
const playDay = async ({ afterEachRound, beforehand }: Wrong = {}) => {
  const program = await givenOwner(service)
  const { key } = (await program.owner.call('POST', `${program.api}/api-keys`)).body.data
  const [any, ordered] = [await givenFragileReceiver(), await givenFragileReceiver()]
  const endpoints = [
    await givenEndpoint(program, { url: any.url }),
    await givenEndpoint(program, { url: ordered.url, ordered: true }),
  ]
  if (beforehand) await pool.query(beforehand, [program.id])
  const sell = async () => {
    const sale = { customer_key: unique('customer'), amount: 1_000, invoice_id: unique('invoice') }
    expect((await service.call('POST', '/api/v1/track/sale', sale, bearer(key))).status).toBe(200)
    await assignSequences(db, program.id, FAN_OUT)
  }
  await sell()
  for (const receiver of [any, ordered]) receiver.setDown(true)
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([sell(), sell()])
    await pass(program, ROUND_MS)
    if (afterEachRound) await pool.query(afterEachRound, [program.id])
  }
  expect(Math.min(any.broken(), ordered.broken())).toBeGreaterThan(5)
  for (const receiver of [any, ordered]) receiver.setDown(false)
  await sell()
  await pass(program, LATEST_MS)
  await untilIdle(program)
  const { rows } = await pool.query('SELECT max(sequence)::integer AS head FROM outbox_events WHERE program_id = $1', [
    program.id,
  ])
  const sequences = [any, ordered].map(({ applied }, index) =>
    applied.map((one) => verified(one, endpoints[index]?.secret ?? '').sequence as number),
  )
  for (const receiver of [any, ordered]) receiver.stop()
  const health = await Promise.all(endpoints.map(({ id }) => endpointOf(program, id)))
  const all = Array.from({ length: rows[0].head }, (_, index) => index + 1)
  return { all, any: sequences[0] ?? [], ordered: sequences[1] ?? [], health }
}

test('after a day without a receiver every event is applied once, in order for an ordered endpoint', async () => {
  const { all, any, ordered, health } = await playDay()
  expect(all).toHaveLength(2 * ROUNDS + 2)
  expect(any.toSorted((a, b) => a - b)).toEqual(all)
  expect(ordered).toEqual(all)
  for (const endpoint of health) expect(endpoint).toMatchObject({ enabled: true, failingSince: null })
})

test.skipIf(!isLongRun)('control: a service that gives up after three attempts loses events', async () => {
  const { all, any, ordered } = await playDay({
    afterEachRound: `UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL
      WHERE program_id = $1 AND state = 'pending' AND attempts >= 3`,
  })
  expect(any.length).toBeLessThan(all.length)
  expect(ordered.length).toBeLessThan(all.length)
})

test.skipIf(!isLongRun)('control: a service that forgets the order sends later events first', async () => {
  const { all, ordered } = await playDay({
    beforehand: 'UPDATE webhook_endpoints SET ordered = false WHERE program_id = $1',
  })
  expect(ordered.toSorted((a, b) => a - b)).toEqual(all)
  expect(ordered).not.toEqual(all)
})
