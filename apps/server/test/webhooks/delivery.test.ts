import { describe, expect, test } from 'bun:test'
import { exampleEvent, publishedEventOf } from '@tributary/contract'
import { type Attempt, recordAttempts } from '../../src/webhooks/delivery/record.ts'
import { databaseTime } from '../../src/webhooks/time.ts'
import { givenClick } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { DAY_MS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import {
  deliveriesOf,
  endpointOf,
  givenEndpoint,
  givenEvents,
  givenOwner,
  givenReceiver,
  LOCAL,
  passPause,
  until,
  verified,
} from './given-webhooks.ts'

const service = await givenService(LOCAL)

const states = async (program: Awaited<ReturnType<typeof givenOwner>>) =>
  (await deliveriesOf(program)).map(({ state, attempts }: { state: string; attempts: number }) => ({ state, attempts }))

describe('a delivery', () => {
  test('is the event, signed, and only goes to endpoints that want its type', async () => {
    const program = await givenOwner(service)
    const [sales, leads] = [givenReceiver(), givenReceiver()]
    const { id, secret } = await givenEndpoint(program, { url: sales.url, events: ['sale.created', 'sale.refunded'] })
    await givenEndpoint(program, { url: leads.url, events: ['lead.created'] })
    await givenEvents(service, program.id, ['sale.created', 'lead.created', 'link.created', 'sale.refunded'])
    await sales.got(2)
    await leads.got(1)
    const [first] = sales.received
    expect(first && verified(first, secret)).toMatchObject({
      id: expect.stringMatching(/^evt_\d+_\d+$/),
      sequence: 1,
      type: 'sale.created',
      data: exampleEvent('sale.created').data,
    })
    expect(first?.headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(new Set([...sales.ids(), ...leads.ids()]).size).toBe(3)
    await until(async () => (await deliveriesOf(program, '&state=delivered')).length === 3)
    expect(await endpointOf(program, id)).toMatchObject({ pending: 0, failingSince: null, enabled: true })
    const rows = await deliveriesOf(program, `&endpointId=${id}&type=sale.created`)
    expect(rows).toMatchObject([{ endpointId: id, sequence: 1, state: 'delivered', attempts: 1, lastStatus: 200 }])
    const { body } = await program.owner.call('GET', `${program.api}/webhook-deliveries/${rows[0].id}`)
    expect(body.data).toMatchObject({ body: first?.text, webhookId: first?.headers['webhook-id'] })
    expect(body.data.attemptList).toMatchObject([{ number: 1, status: 200, error: null, response: 'ok' }])
    expect(body.data.attemptList[0].headers).toMatchObject({
      'webhook-signature': first?.headers['webhook-signature'] ?? '',
      'webhook-timestamp': first?.headers['webhook-timestamp'] ?? '',
    })
  })

  test('is retried with the same webhook-id until it succeeds; redirects are failures', async () => {
    const program = await givenOwner(service)
    const elsewhere = givenReceiver()
    const receiver = givenReceiver((_, number) =>
      number === 1 ? { status: 302, headers: { location: elsewhere.url } } : { status: number < 4 ? 500 : 204 },
    )
    const { id } = await givenEndpoint(program, { url: receiver.url })
    await givenEvents(service, program.id)
    while (await passPause(service, program.id));
    expect(new Set(receiver.ids()).size).toBe(1)
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    expect(elsewhere.received).toHaveLength(0)
    expect(await states(program)).toEqual([{ state: 'delivered', attempts: 4 }])
    const [{ id: deliveryId }] = await deliveriesOf(program)
    const { body } = await program.owner.call('GET', `${program.api}/webhook-deliveries/${deliveryId}`)
    expect(body.data.attemptList.map(({ status }: { status: number }) => status)).toEqual([204, 500, 500, 302])
    expect(body.data.attemptList.at(-1).error).toContain('Redirects are not followed')
    expect(await endpointOf(program, id)).toMatchObject({ failingSince: null })
  })

  test('after a day without an answer is delivered as soon as the receiver is back, and none is lost', async () => {
    const program = await givenOwner(service)
    let isDown = true
    const receiver = givenReceiver(() => ({ status: isDown ? 503 : 200 }))
    await givenEndpoint(program, { url: receiver.url })
    await givenEvents(service, program.id, ['sale.created', 'lead.created', 'link.created'])
    const since = service.clock.now().getTime()
    while (service.clock.now().getTime() - since < DAY_MS) await passPause(service, program.id)
    expect((await states(program)).every(({ state }: { state: string }) => state === 'pending')).toBe(true)
    isDown = false
    while (await passPause(service, program.id));
    expect(await deliveriesOf(program, '&state=delivered')).toHaveLength(3)
    expect(new Set(receiver.ids()).size).toBe(3)
  })
})

test('a lead has the masked address of the customer only for endpoints that ask for it', async () => {
  const program = await givenPayingProgram(service, { lead: null, sale: null, holdDays: 0 })
  const [asking, other] = [givenReceiver(), givenReceiver()]
  const settings = { events: ['lead.created'] }
  await givenEndpoint(program, { ...settings, url: asking.url, includeCustomerData: true })
  await givenEndpoint(program, { ...settings, url: other.url })
  const click_id = await givenClick(service, program.link)
  await program.lead({ customer_key: 'ada', click_id, email: 'ada@example.com' })
  await Promise.all([asking.got(1), other.got(1)])
  const [withCustomer, without] = [asking, other].map(({ received }) => JSON.parse(received[0]?.text ?? ''))
  expect(withCustomer.data).toEqual({ ...without.data, customer: { email: 'a***@example.com' } })
  publishedEventOf('lead.created').parse(withCustomer)
})

describe('an endpoint that answers', () => {
  test('410 is disabled immediately, and its team is notified', async () => {
    const program = await givenOwner(service)
    const receiver = givenReceiver(() => ({ status: 410 }))
    const { id } = await givenEndpoint(program, { url: receiver.url })
    await givenEvents(service, program.id)
    await until(async () => !(await endpointOf(program, id)).enabled)
    expect(await endpointOf(program, id)).toMatchObject({ disabledReason: 'gone' })
    expect(await states(program)).toEqual([{ state: 'failed', attempts: 1 }])
    // Nothing more is sent, and no delivery waits for an endpoint that is disabled.
    await givenEvents(service, program.id)
    expect(await states(program)).toHaveLength(1)
    const { body } = await program.owner.call('GET', `${program.api}/notifications`)
    expect(body.data.notifications).toMatchObject([{ kind: 'webhook_disabled' }])
  })

  test('410 is disabled, although another delivery succeeded at the same moment', async () => {
    const program = await givenOwner(service)
    const { id: endpointId, url } = await givenEndpoint(program, { url: givenReceiver().url })
    // As if another process had claimed both.
    const lease = crypto.randomUUID()
    const client = await service.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM webhook_endpoints WHERE program_id = $1 FOR NO KEY UPDATE', [program.id])
    await givenEvents(service, program.id, ['sale.created', 'sale.created'])
    await client.query('UPDATE webhook_deliveries SET lease = $2, next_attempt_at = $3 WHERE program_id = $1', [
      ...[program.id, lease, new Date(service.clock.now().getTime() + 60_000)],
    ])
    await client.query('COMMIT')
    client.release()
    const [first, second] = await deliveriesOf(program)
    const attempt = (id: number, status: number): Attempt => ({
      delivery: { programId: program.id, endpointId, id, lease, eventId: id, customerKey: null },
      at: service.clock.now(),
      durationMs: 1,
      url,
      signature: '',
      status,
      error: null,
      response: null,
      pauseMs: null,
    })
    await recordAttempts(service.db, [attempt(first.id, 410), attempt(second.id, 200)], databaseTime(service.clock.now))
    expect(await endpointOf(program, endpointId)).toMatchObject({ enabled: false, disabledReason: 'gone' })
  })

  test('only with failures gets a warning after three days and is disabled after five', async () => {
    const program = await givenOwner(service)
    const receiver = givenReceiver(() => ({ status: 500 }))
    const { id } = await givenEndpoint(program, { url: receiver.url })
    const kinds = async () =>
      (await program.owner.call('GET', `${program.api}/notifications`)).body.data.notifications.map(
        ({ kind }: { kind: string }) => kind,
      )
    await givenEvents(service, program.id)
    await receiver.got(1)
    await until(async () => (await endpointOf(program, id)).failingSince !== null)
    expect(await kinds()).toEqual([])
    const failsAfter = async (days: number) => {
      service.clock.advance(days * DAY_MS)
      const count = receiver.received.length
      await givenEvents(service, program.id)
      await receiver.got(count + 1)
    }
    await failsAfter(3)
    await until(async () => (await kinds()).length === 1)
    expect(await endpointOf(program, id)).toMatchObject({ enabled: true })
    await failsAfter(2)
    await until(async () => !(await endpointOf(program, id)).enabled)
    expect((await kinds()).toSorted()).toEqual(['webhook_disabled', 'webhook_failing'])
    expect(await endpointOf(program, id)).toMatchObject({ disabledReason: 'failing' })
    const { body } = await program.owner.call('GET', `${program.api}/audit?search=Webhook+endpoint+disabled`)
    expect(body.data).toMatchObject([{ action: 'webhook endpoint disabled', userId: null }])
  })
})
