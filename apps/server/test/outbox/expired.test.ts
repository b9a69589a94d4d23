import { expect, test } from 'bun:test'
import { EVENT_RETENTION_DAYS } from '@tributary/contract'
import { purgeEvents } from '../../src/outbox/purge-events.ts'
import { findFirstPending } from '../../src/webhooks/deliveries.ts'
import { expectRefusal, givenProgram } from '../support/given.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { verifyProgram } from '../support/verify-program.ts'
import { bearer, eventsOf, openStream } from './given-events.ts'

const service = await givenService()

const givenShop = async () => {
  const shop = await givenProgram(service)
  const sell = (invoice_id: string) => shop.sale({ customer_key: 'x', amount: 100, invoice_id })
  const read = (query: string, accept = 'application/json') =>
    service.call('GET', `/api/v1/events${query}`, undefined, { ...bearer(shop.key), accept })
  /** Lets the events that are stored so far expire. */
  const age = () =>
    service.pool.query(
      `UPDATE outbox_events SET inserted_at = inserted_at - make_interval(days => $2) WHERE program_id = $1`,
      [shop.id, EVENT_RETENTION_DAYS + 1],
    )
  return { ...shop, sell, read, age, events: eventsOf(service, shop.key) }
}

test('410 events_expired: events after the sequence were deleted', async () => {
  const { sell, read, age, events, key } = await givenShop()
  await sell('in-1')
  await sell('in-2')
  expect(await events()).toHaveLength(2)
  await age()
  await sell('in-3')
  expect(await events('?after=2')).toHaveLength(1)
  await purgeEvents(service.db, { at: service.clock.now(), findFirstNeeded: findFirstPending })
  for (const after of [0, 1]) {
    for (const accept of ['application/json', 'text/event-stream']) {
      const answer = await read(`?after=${after}`, accept)
      expectRefusal(answer, 410, 'events_expired')
      expect(answer.body.error.message).toContain('after=2')
    }
  }
  expect((await events('?after=2')).map(({ sequence }) => sequence)).toEqual([3])
  // A new consumer starts with the oldest event.
  expect((await events()).map(({ sequence }) => sequence)).toEqual([3])
  const stream = await openStream(service, key)
  expect((await stream.events(1)).map(({ id }) => id)).toEqual(['3'])
  stream.close()
})

test('old events are deleted in parts, from the beginning and without a gap', async () => {
  const { id, sell, read, age, events, key } = await givenShop()
  await service.pool.query(
    `WITH head AS (INSERT INTO outbox_heads (program_id, sequence) VALUES ($1, 2500))
     INSERT INTO outbox_events (program_id, type, occurred_at, data, sequence)
     SELECT $1, 'test.ping', $2, '{"message":"x"}', number FROM generate_series(1, 2500) number`,
    [id, service.clock.now()],
  )
  await age()
  const purge = async () => {
    await purgeEvents(service.db, { at: service.clock.now(), findFirstNeeded: findFirstPending })
    const { rows } = await service.pool.query('SELECT sequence FROM outbox_events WHERE program_id = $1 ORDER BY 1', [
      id,
    ])
    expect((await verifyProgram(service.db, { programId: id, sealedBefore: null })).differences).toEqual([])
    return rows.map(({ sequence }) => Number(sequence))
  }
  await sell('in-1')
  expect((await events('?after=2499')).map(({ sequence }) => sequence)).toEqual([2500, 2501])
  expect(await purge()).toEqual([2501])
  expect(await purge()).toEqual([2501])
  expectRefusal(await read('?after=2499'), 410, 'events_expired')
  expect((await events('?after=2500')).map(({ sequence }) => sequence)).toEqual([2501])
  // A consumer without a position waits for the next event, also if no event is left.
  await age()
  expect(await purge()).toEqual([])
  const stream = await openStream(service, key)
  await stream.comments(1)
  await sell('in-2')
  expect((await stream.events(1)).map((event) => event.id)).toEqual(['2502'])
  stream.close()
})

test('an event from a process whose clock is 100 days behind is kept for 90 days too', async () => {
  const { sell, events } = await givenShop()
  service.clock.advance(-100 * DAY_MS)
  await sell('in-1')
  service.clock.advance(100 * DAY_MS)
  expect(await events('?after=0')).toHaveLength(1)
  await purgeEvents(service.db, { at: service.clock.now(), findFirstNeeded: findFirstPending })
  expect((await events('?after=0')).map(({ sequence }) => sequence)).toEqual([1])
})

test('409 events_ahead: the sequence is past the last event, as after a restore', async () => {
  const shop = await givenShop()
  await shop.sell('in-1')
  const other = await givenShop()
  for (const accept of ['application/json', 'text/event-stream']) {
    const answer = await shop.read('?after=2', accept)
    expectRefusal(answer, 409, 'events_ahead')
    expect(answer.body.error).toMatchObject({ field: 'after', message: expect.stringContaining('after=1') })
    expectRefusal(await other.read('?after=1', accept), 409, 'events_ahead')
  }
  expect(await shop.events('?after=1')).toEqual([])
  expect(await other.events('?after=0')).toEqual([])
})
