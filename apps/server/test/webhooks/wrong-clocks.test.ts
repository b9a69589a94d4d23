import { expect, setSystemTime, test } from 'bun:test'
import { exampleEvent } from '@tributary/contract'
import { systemClock } from '../../src/clock.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { purgeOldRecords } from '../../src/housekeeping.ts'
import { type NewEvent, publish } from '../../src/outbox/events.ts'
import { assignSequences } from '../../src/outbox/sequence.ts'
import { FAN_OUT } from '../../src/webhooks/fan-out.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import {
  deliveriesOf,
  givenEndpoint,
  givenEvents,
  givenOwner,
  givenReceiver,
  LOCAL,
  passPause,
  until,
} from './given-webhooks.ts'

const service = await givenService(LOCAL)
const { db, clock } = service

test('an event from a process whose clock is 100 days behind is retried and kept for its receiver', async () => {
  const program = await givenOwner(service)
  const receiver = givenReceiver((_, number) => ({ status: number === 1 ? 503 : 200 }))
  await givenEndpoint(program, { url: receiver.url })
  const at = new Date(clock.now().getTime() - 100 * DAY_MS)
  const { data } = exampleEvent('sale.created')
  await inTransaction(db, (tx) => publish(tx, [{ programId: program.id, type: 'sale.created', at, data } as NewEvent]))
  while (!(await assignSequences(db, program.id, FAN_OUT)));
  await until(async () => (await deliveriesOf(program))[0].attempts === 1)
  const [{ createdAt }] = await deliveriesOf(program)
  expect(Math.abs(Date.parse(createdAt) - clock.now().getTime())).toBeLessThan(DAY_MS)
  // However old a delivery is: it waits for an enabled endpoint.
  await service.pool.query(`UPDATE webhook_deliveries SET created_at = created_at - interval '40 days'`)
  await purgeOldRecords(db, { days: null, clock: clock.now })
  while (await passPause(service, program.id));
  expect(await deliveriesOf(program)).toMatchObject([{ state: 'delivered', attempts: 2 }])
})

test('a process whose clock jumps ahead deletes no delivery and no event', async () => {
  const program = await givenOwner(service)
  const receiver = givenReceiver()
  await givenEndpoint(program, { url: receiver.url })
  await givenEvents(service, program.id)
  await until(async () => (await deliveriesOf(program, '&state=delivered')).length === 1)
  clock.stop()
  setSystemTime(Date.now() + 200 * DAY_MS)
  try {
    await purgeOldRecords(db, { days: null, clock: systemClock })
  } finally {
    setSystemTime()
  }
  const [delivery] = await deliveriesOf(program)
  const { body } = await program.owner.call('GET', `${program.api}/webhook-deliveries/${delivery.id}`)
  expect(body.data.body).toBe(receiver.received[0]?.text ?? '')
})
