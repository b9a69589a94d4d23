import { expect, test } from 'bun:test'
import { purgeEvents } from '../../src/outbox/purge-events.ts'
import { expectRefusal, givenProgram } from '../support/given.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { bearer, eventsOf, openStream } from './given-events.ts'

const service = await startTestService()

test('410 events_expired: events after the sequence were deleted', async () => {
  const shop = await givenProgram(service)
  const events = eventsOf(service, shop.key)
  const sell = (invoice_id: string) => shop.sale({ customer_key: 'x', amount: 100, invoice_id })
  await sell('in-1')
  await sell('in-2')
  expect(await events()).toHaveLength(2)
  service.clock.advance(91 * DAY_MS)
  await sell('in-3')
  expect(await events('?after=2')).toHaveLength(1)
  await purgeEvents(service.db, service.clock.now())
  for (const after of [0, 1]) {
    for (const accept of ['application/json', 'text/event-stream']) {
      const headers = { ...bearer(shop.key), accept }
      const answer = await service.call('GET', `/api/v1/events?after=${after}`, undefined, headers)
      expectRefusal(answer, 410, 'events_expired')
      expect(answer.body.error.message).toContain('after=2')
    }
  }
  expect((await events('?after=2')).map(({ sequence }) => sequence)).toEqual([3])
  // A new consumer starts with the oldest event.
  expect((await events()).map(({ sequence }) => sequence)).toEqual([3])
  const stream = await openStream(service, shop.key)
  expect((await stream.events(1)).map(({ id }) => id)).toEqual(['3'])
  stream.close()
})
