import { expect, test } from 'bun:test'
import { readBacklogs } from '../../src/database/monitoring/read-backlogs.ts'
import { givenService } from '../support/shared-service.ts'
import { deliveriesOf, givenEndpoint, givenEvents, givenOwner, givenReceiver, LOCAL, until } from './given-webhooks.ts'

const service = await givenService(LOCAL)

test('events behind a failed one of an ordered endpoint wait for the receiver, so deliveries are not late', async () => {
  const program = await givenOwner(service)
  const receiver = givenReceiver(() => ({ status: 500, headers: { 'retry-after': '80000' } }))
  await givenEndpoint(program, { url: receiver.url, ordered: true })
  await givenEvents(service, program.id, ['sale.created', 'sale.updated'])
  await until(async () => (await deliveriesOf(program)).some(({ attempts }: { attempts: number }) => attempts === 1))
  // Two hours later, as the database sees it. The next attempt is due in twenty.
  await service.pool.query(`UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - interval '2 hours'`)
  expect(receiver.received).toHaveLength(1)
  expect((await readBacklogs(service.db)).deliveryDelaySeconds).toBeLessThan(300)
})
