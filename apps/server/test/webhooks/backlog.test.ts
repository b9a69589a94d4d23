import { expect, test } from 'bun:test'
import { WEBHOOK_RETENTION_DAYS } from '@tributary/contract'
import { purgeDeliveries } from '../../src/webhooks/deliveries.ts'
import { DAY_MS, startTestService } from '../support/service.ts'
import { deliveriesOf, givenEndpoint, givenEvents, givenOwner, givenReceiver, LOCAL, until } from './given-webhooks.ts'

const service = await startTestService(LOCAL)

/** Counts are up to half a minute old. */
const metrics = async () => {
  service.clock.advance(30_000)
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^tributary_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  return {
    delivered: read('webhook_attempts_total\\{result="delivered"\\}'),
    failed: read('webhook_attempts_total\\{result="failed"\\}'),
    inFlight: read('webhook_in_flight'),
    waiting: [read('webhook_backlog'), read('webhook_deliveries_pending')],
  }
}

const endpointRows = async (id: number) =>
  (await service.pool.query('SELECT FROM webhook_endpoints WHERE id = $1', [id])).rowCount

test('the backlog counts enabled endpoints only, and a deleted endpoint goes with its last delivery', async () => {
  const program = await givenOwner(service)
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const receiver = givenReceiver((_, number) => (number === 1 ? {} : { status: 500, after: answered }))
  const { id } = await givenEndpoint(program, { url: receiver.url })
  const path = `${program.api}/webhook-endpoints/${id}`
  await givenEvents(service, program.id)
  await until(async () => (await deliveriesOf(program, '&state=delivered')).length === 1)
  expect(await metrics()).toEqual({ delivered: 1, failed: 0, inFlight: 0, waiting: [0, 0] })

  await givenEvents(service, program.id)
  await receiver.got(2)
  expect(await metrics()).toEqual({ delivered: 1, failed: 0, inFlight: 1, waiting: [1, 1] })
  resolve()
  await until(async () => (await metrics()).failed > 0)
  expect((await metrics()).waiting).toEqual([1, 1])

  await program.owner.call('PATCH', path, { enabled: false })
  expect((await metrics()).waiting).toEqual([0, 0])
  await program.owner.call('DELETE', path)
  await purgeDeliveries(service.db, service.clock.now())
  expect(await endpointRows(id)).toBe(1)
  await purgeDeliveries(service.db, new Date(service.clock.now().getTime() + (WEBHOOK_RETENTION_DAYS + 1) * DAY_MS))
  expect(await endpointRows(id)).toBe(0)
})
