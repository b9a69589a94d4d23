import { expect, test } from 'bun:test'
import { startService } from '../../src/service.ts'
import { givenProgram } from '../support/given.ts'
import { asService } from '../support/postgres.ts'
import { quickPasswords } from '../support/quick-passwords.ts'
import { CONFIG, SECRETS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { eventsOf, openStream } from './given-events.ts'

const service = await givenService()

test('a stream on one node has the events of the other, ends when its node stops, and resumes elsewhere', async () => {
  const shop = await givenProgram(service)
  const databaseUrl = await asService(service.databaseUrl)
  const other = await startService({
    config: CONFIG,
    secrets: SECRETS,
    databaseUrl,
    ownerUrl: service.databaseUrl,
    clock: service.clock.now,
    passwords: quickPasswords,
  })
  const sell = (invoice_id: string) => shop.sale({ customer_key: 'x', amount: 100, invoice_id })
  const stream = await openStream({ ...service, url: other.url }, shop.key)
  await Promise.all(['in-1', 'in-2', 'in-3'].map(sell))
  expect((await stream.events(3)).map(({ id }) => id)).toEqual(['1', '2', '3'])
  await Promise.all([other.stop(), stream.ended()])
  await sell('in-4')
  const resumed = await openStream(service, shop.key, '', { 'last-event-id': '3' })
  const [next] = await resumed.events(1)
  expect(next?.event).toEqual((await eventsOf(service, shop.key)('?after=3'))[0] as never)
  resumed.close()
})
